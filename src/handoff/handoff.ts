import type { WorkState } from "../checkpoints/work-state.ts";
import { collect } from "./collect.ts";
import type { Frame } from "./frame.ts";
import type { Form, Tier } from "./item.ts";
import { createMeter, fits, type Budget, type Meter } from "./meter.ts";
import { budgetOf, type HandoffOptions } from "./options.ts";
import { createProblem, type Problem } from "./problem.ts";
import { isImported } from "./provenance.ts";
import { render } from "./render.ts";
import { reportAsJson } from "./report-as-json.ts";
import type { SectionName } from "./sections.ts";
import { select, takeEssentials } from "./select.ts";
import { NONE, Selection } from "./selection.ts";
import { shrinkEssentials } from "./shrink.ts";
import { countTokens, type TokenCount } from "./token-counter.ts";
import { tooSmall } from "./too-small.ts";

/** What a handoff is made from. */
export interface HandoffInput {
  /** Who, when and why: the checkpoint without its state. Fields beyond these are ignored. */
  readonly checkpoint: {
    readonly checkpoint_id: string;
    readonly trail?: string;
    readonly trigger?: string;
    readonly notes?: string | null;
    readonly agent_id?: string | null;
    readonly agent_tier?: number | string | null;
    readonly session_id?: string | null;
    readonly parent_checkpoint_id?: string | null;
  };
  /** The work state. It may come from anywhere: nothing about its shape is trusted. */
  readonly state: Partial<WorkState>;
  /** The store's own random key, 16 bytes or more: the fence around recorded text is derived from it. */
  readonly key: Uint8Array;
  /** The exact command that resumes the work, flags included. */
  readonly resumeCommand: string;
  /** The command that prints everything; `checkpoint load <id> --json` unless given. */
  readonly loadCommand?: string;
}

/** An item as it was decided on. */
export interface Decided {
  /** Where it comes from in the state, such as `tasks[3]`. */
  readonly id: string;
  readonly section: SectionName;
  readonly tier: Tier;
  /** How it is shown; for dropped items, how it would have been shown at least. */
  readonly form: Form["name"];
  /** What that takes of the budget, without headings. */
  readonly tokens: number;
  readonly value: number;
}

export interface Handoff {
  /** The briefing, or with `format: "json"` the report around it. */
  readonly text: string;
  readonly tokens: TokenCount;
  readonly kept: readonly Decided[];
  readonly dropped: readonly Decided[];
}

/**
 * The best briefing for whoever goes on with this work, inside a hard budget. Pure: the same input gives the
 * same bytes. Throws `budget`, naming what is missing, when not even the essentials fit (goal, constraints,
 * pending approvals, next action and the keys that were asked for).
 *
 * @example
 * const { text } = handoff({ checkpoint, state, key, resumeCommand: "checkpoint run resume build-7" }, { level: "standard" });
 */
export function handoff(input: HandoffInput, options: HandoffOptions = {}): Handoff {
  const budget = budgetOf(options);
  const frame = frameOf(input, options);
  const items = collect(input.state, input.checkpoint, options);
  let spared = 0;
  for (;;) {
    const meter = createMeter(reduced(budget, spared));
    const problem = createProblem(items, frame, meter);
    const { problem: solved, selection } = solve(problem, { meter, budget, options });
    const text = render(solved, selection, frame, input.key);
    const over = excess(text, budget);
    if (over <= 0) return report(text, solved, selection, { input, options, budget, meter });
    // Only with a counter whose lines do not add up to the whole: try again with that much less room.
    spared += over;
  }
}

function frameOf({ checkpoint, resumeCommand, loadCommand }: HandoffInput, options: HandoffOptions): Frame {
  const id = String(checkpoint.checkpoint_id);
  return {
    dress: options.format === "plain" ? "plain" : "markdown",
    audience: options.audience ?? "next-agent",
    isImported: isImported(checkpoint),
    // An id with anything else in it did not come from a store of ours, and must not stand outside the fence.
    loadCommand: loadCommand ?? (/^[\w.-]{1,80}$/.test(id) ? `checkpoint load ${id} --json` : "checkpoint load --json"),
    resumeCommand,
  };
}

function solve(
  problem: Problem,
  { meter, budget, options }: { meter: Meter; budget: Budget; options: HandoffOptions },
): { problem: Problem; selection: Selection } {
  const selection = new Selection(problem);
  const missing = takeEssentials(problem, selection);
  if (missing.length === 0 && fits(selection.size, problem.limits)) {
    select(problem, selection);
    return { problem, selection };
  }
  const shrunk = options.shrink === true ? shrinkEssentials(problem, meter) : undefined;
  if (shrunk === undefined) throw tooSmall(problem, missing, budget);
  return shrunk;
}

/** By how many tokens the finished text is over its budget. */
function excess(text: string, { family, maxTokens, maxChars, counter }: Budget): number {
  const tokens = maxTokens === undefined ? 0 : countTokens(text, family, counter).upper - maxTokens;
  const chars = maxChars === undefined ? 0 : text.length - maxChars;
  return Math.max(tokens, chars);
}

function reduced(budget: Budget, spared: number): Budget {
  const { maxTokens, maxChars } = budget;
  return {
    ...budget,
    maxTokens: maxTokens === undefined ? undefined : Math.max(0, maxTokens - spared),
    maxChars: maxChars === undefined ? undefined : Math.max(0, maxChars - spared),
  };
}

function report(
  text: string,
  problem: Problem,
  selection: Selection,
  { input, options, budget, meter }: { input: HandoffInput; options: HandoffOptions; budget: Budget; meter: Meter },
): Handoff {
  const tokens = countTokens(text, budget.family, budget.counter);
  const decided = problem.candidates.map(({ item, forms }, index) => {
    const chosen = selection.formOf(index);
    const form = forms.at(chosen)!;
    const size = meter.tokensOf(form.size) ?? countTokens(form.text, budget.family, budget.counter).upper;
    const { id, section, tier, value } = item;
    return { isKept: chosen !== NONE, entry: { id, section, tier, form: form.name, tokens: size, value } };
  });
  const kept = decided.filter((each) => each.isKept).map((each) => each.entry);
  const dropped = decided.filter((each) => !each.isKept).map((each) => each.entry);
  const result = { text, tokens, kept, dropped };
  return options.format === "json" ? { ...result, text: reportAsJson(result, input, budget) } : result;
}
