import { CheckpointError } from "../../core/errors.ts";
import { handoff, type HandoffInput } from "./handoff.ts";
import { checkForm, type HandoffOptions, TEXT, TEXTS } from "./options.ts";
import type { Handoff } from "./report.ts";

export interface SubagentOptions extends Pick<
  HandoffOptions,
  "family" | "counter" | "maxChars" | "format" | "shrink"
> {
  /** Variables or fields that the subagent must know. */
  readonly relevantKeys?: readonly string[];
  /** Default: 1,000. */
  readonly maxTokens?: number;
}

/**
 * What a subagent should know of the work it is part of, to put before its task.
 *
 * @example
 * const { text } = forSubagent(input, "promotion", { relevantKeys: ["agent_id", "current_tier"], maxTokens: 500 });
 * await subagent.run(`${text}\n\n${taskPrompt}`);
 */
export function forSubagent(input: HandoffInput, task: string, options: SubagentOptions = {}): Handoff {
  if (task === undefined)
    throw new CheckpointError("usage", "A subagent's context needs its task.", {
      hint: 'forSubagent(input, "promotion", { maxTokens: 500 })',
    });
  checkForm("task", task, TEXT);
  checkForm("relevantKeys", options.relevantKeys, TEXTS);
  const { relevantKeys, maxTokens = 1000, ...rest } = options;
  return handoff(input, { ...rest, maxTokens, for: task, keys: relevantKeys, audience: "subagent" });
}
