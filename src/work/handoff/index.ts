/**
 * Briefings for the next agent, within a token budget. docs/handoff.md tells what gets in.
 *
 * @example
 * import { handoff } from "cairn-checkpoint/handoff";
 *
 * const { state, ...checkpoint } = await trail.load();
 * const { key } = await cairn.store.identity();
 * const { text } = handoff({ checkpoint, state, key }, { level: "standard" });
 *
 * @packageDocumentation
 */
export { forSubagent, type SubagentOptions } from "./for-subagent.ts";
export { handoff, type HandoffInput } from "./handoff.ts";
export type { Level } from "./items/levels.ts";
export type { HandoffOptions } from "./options.ts";
export type { Handoff } from "./report.ts";
export { countTokens, type Family, type TokenCount, type TokenCounter } from "./tokens/token-counter.ts";
