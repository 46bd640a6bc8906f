import type { Form, Tier } from "./items/item.ts";
import type { Budget, Meter } from "./tokens/meter.ts";
import type { SectionName } from "./items/sections.ts";
import { NONE } from "./selection/selection.ts";
import type { Solved } from "./selection/solve.ts";
import { countTokens, type TokenCount } from "./tokens/token-counter.ts";

/** An item as it was decided on. */
interface Decided {
  /** Where it comes from in the state, such as `tasks[3]`. */
  readonly id: string;
  readonly section: SectionName;
  readonly tier: Tier;
  /** How it is shown; for a dropped item, the shortest form that it has. */
  readonly form: Form["name"];
  /** What that form takes of the budget, without headings. */
  readonly tokens: number;
  /** What the item was worth to this briefing, beside the others. */
  readonly value: number;
}

export interface Handoff {
  /** The briefing, or with `format: "json"` the report around it. */
  readonly text: string;
  readonly tokens: TokenCount;
  readonly kept: readonly Decided[];
  readonly dropped: readonly Decided[];
}

/** What a text shows and what it does not, item by item. */
export function decide({ text, problem, selection }: Solved, budget: Budget, meter: Meter): Handoff {
  const kept: Decided[] = [];
  const dropped: Decided[] = [];
  for (const [index, { item, forms }] of problem.candidates.entries()) {
    const chosen = selection.formOf(index);
    const form = forms.at(chosen)!;
    const tokens = meter.tokensOf(form.size) ?? countTokens(form.text, budget.family, budget.counter).upper;
    const { id, section, tier, value } = item;
    (chosen === NONE ? dropped : kept).push({ id, section, tier, form: form.name, tokens, value });
  }
  return { text, tokens: countTokens(text, budget.family, budget.counter), kept, dropped };
}
