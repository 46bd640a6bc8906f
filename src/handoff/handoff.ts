import type { WorkState } from "../checkpoints/work-state.ts";
import { collectItems } from "./items/collect.ts";
import type { BriefingFrame } from "./frame/frame.ts";
import type { Item } from "./items/item.ts";
import { forLevel } from "./items/levels.ts";
import { createMeter, type Budget } from "./tokens/meter.ts";
import { budgetOf, levelOf, type HandoffOptions } from "./options.ts";
import { createProblem } from "./selection/problem.ts";
import { type Handoff, report, reportAsJson } from "./report.ts";
import { solve } from "./selection/solve.ts";
import { countTokens } from "./tokens/token-counter.ts";

/** What a handoff is made from. */
export interface HandoffInput {
  /** Who, when and why: the checkpoint without its state. Other fields are ignored. */
  readonly checkpoint: {
    readonly checkpoint_id: string;
    readonly trail?: string | undefined;
    readonly trigger?: string | undefined;
    readonly notes?: string | null | undefined;
    readonly agent_id?: string | null | undefined;
    readonly agent_tier?: number | string | null | undefined;
    readonly session_id?: string | null | undefined;
    readonly parent_checkpoint_id?: string | null | undefined;
  };
  /** The work state. It may come from anywhere: its shape is not trusted. */
  readonly state: Partial<WorkState>;
  /** The store's random key, 16 bytes or more: the fence around recorded text is derived from it. */
  readonly key: Uint8Array;
  /** The exact command that resumes the work, flags included. */
  readonly resumeCommand: string;
  /** The command that prints everything. Default: `checkpoint load <id> --json`. */
  readonly loadCommand?: string | undefined;
}

/**
 * The best briefing for the next agent, inside a hard budget. Pure: the same input gives the same bytes. Throws
 * `budget`, naming what is missing, if not even the essentials fit (goal, constraints, pending approvals, next action
 * and the required keys).
 *
 * @example
 * const { text } = handoff({ checkpoint, state, key, resumeCommand: "checkpoint resume build-7" }, { level: "standard" });
 */
export function handoff(input: HandoffInput, options: HandoffOptions = {}): Handoff {
  const budget = budgetOf(options);
  const level = levelOf(options);
  const all = collectItems(input.state, input.checkpoint, options);
  const items = level === undefined ? all : forLevel(all, level);
  const frame = frameOf(input, options, items);
  let withheld = 0;
  for (;;) {
    const problem = createProblem(items, frame, createMeter(reduced(budget, withheld)));
    const solved = solve(problem, { budget, key: input.key, shrink: options.shrink === true });
    const over = excess(solved.text, budget);
    if (over <= 0) {
      const result = report(solved, budget);
      return options.format === "json" ? { ...result, text: reportAsJson(result, budget, input) } : result;
    }
    // Only a counter whose lines do not add up to the whole gets here: try again with that much less room. This
    // ends, because no line is free.
    withheld += Math.ceil(over);
  }
}

function frameOf(
  { checkpoint, resumeCommand, loadCommand }: HandoffInput,
  options: HandoffOptions,
  items: readonly Item[],
): BriefingFrame {
  const id = checkpoint.checkpoint_id;
  return {
    style: options.format === "plain" ? "plain" : "markdown",
    audience: options.audience ?? "next-agent",
    hasImports: items.some((item) => item.origin === "imported"),
    // An id with anything else in it is not one of ours, and must not appear outside the fence.
    loadCommand:
      loadCommand ?? (/^[\w.-]{1,80}$/.test(id) ? `checkpoint load ${id} --json` : "checkpoint load --json"),
    resumeCommand,
  };
}

/** By how many tokens the finished text is over its budget. */
function excess(text: string, { family, maxTokens, maxChars, counter }: Budget): number {
  const tokens = maxTokens === undefined ? 0 : countTokens(text, family, counter).upper - maxTokens;
  const chars = maxChars === undefined ? 0 : text.length - maxChars;
  return Math.max(tokens, chars);
}

function reduced(budget: Budget, withheld: number): Budget {
  const { maxTokens, maxChars } = budget;
  return {
    ...budget,
    maxTokens: maxTokens === undefined ? undefined : Math.max(0, maxTokens - withheld),
    maxChars: maxChars === undefined ? undefined : Math.max(0, maxChars - withheld),
  };
}
