import type { Form, ItemTier } from "./items/item.ts";
import type { Budget } from "./tokens/meter.ts";
import type { SectionName } from "./items/sections.ts";
import { NONE } from "./selection/selection.ts";
import { visibleJson } from "../text/visible.ts";
import type { Solved } from "./selection/solve.ts";
import { countTokens, type TokenCount } from "./tokens/token-counter.ts";

interface ReportedItem {
  /** Where it comes from in the state, such as `tasks[3]`. */
  readonly id: string;
  readonly section: SectionName;
  readonly tier: ItemTier;
  /** How it is shown; for a dropped item, its shortest form. */
  readonly form: Form["name"];
  /** What that form costs, without headings. */
  readonly tokens: number;
  /** What the item was worth to this briefing, relative to the others. */
  readonly value: number;
}

export interface Handoff {
  /** The briefing, or with `format: "json"` the report around it. */
  readonly text: string;
  readonly tokens: TokenCount;
  readonly kept: readonly ReportedItem[];
  readonly dropped: readonly ReportedItem[];
}

/** What a text shows and what it does not, item by item. */
export function report({ text, problem, selection }: Solved, budget: Budget): Handoff {
  const kept: ReportedItem[] = [];
  const dropped: ReportedItem[] = [];
  for (const [index, { item, forms }] of problem.candidates.entries()) {
    const chosen = selection.formOf(index);
    const form = forms.at(chosen)!;
    const tokens =
      problem.meter.tokensOf(form.size) ?? countTokens(form.text, budget.family, budget.counter).upper;
    const { id, section, tier, value } = item;
    (chosen === NONE ? dropped : kept).push({ id, section, tier, form: form.name, tokens, value });
  }
  return { text, tokens: countTokens(text, budget.family, budget.counter), kept, dropped };
}

/**
 * The briefing for programs: its text, which is what the budget holds for, and every decision behind it. Safe to
 * print: invisible characters are escaped.
 */
export function reportAsJson(
  { text, tokens, kept, dropped }: Handoff,
  { family, maxTokens, maxChars }: Budget,
  { checkpoint, resumeCommand }: { checkpoint: { checkpoint_id: string }; resumeCommand: string },
): string {
  const fields = {
    checkpoint_id: checkpoint.checkpoint_id,
    text,
    tokens,
    budget: { max_tokens: maxTokens ?? null, max_chars: maxChars ?? null, family },
    kept,
    dropped,
    resume_command: resumeCommand,
  };
  return visibleJson(JSON.stringify(fields, null, 2));
}
