import { visibleJson } from "../../core/text/visible.ts";
import type { Composed } from "./compose/compose.ts";
import type { Item, ItemTier } from "./items/item.ts";
import type { SectionName } from "./items/sections.ts";
import type { Budget } from "./options.ts";
import { countTokens, type TokenCount } from "./tokens/token-counter.ts";

interface ReportedItem {
  /** Where it comes from in the state, such as `tasks[3]`. */
  readonly id: string;
  readonly section: SectionName;
  readonly tier: ItemTier;
  /** Whether all of it is shown. */
  readonly form: "full" | "short";
  /** What that costs, without headings. */
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
export function report(
  { text, shown }: Composed,
  items: readonly Item[],
  { family, counter }: Budget,
): Handoff {
  const kept: ReportedItem[] = [];
  const dropped: ReportedItem[] = [];
  for (const item of items) {
    const { id, section, tier, value } = item;
    const fitted = shown.get(item);
    const words = fitted?.text ?? item.fit(LEAST_CHARS)?.text ?? "";
    const tokens = countTokens(words, family, counter).upper;
    const form = fitted?.isWhole === true ? "full" : "short";
    (fitted === undefined ? dropped : kept).push({ id, section, tier, form, tokens, value });
  }
  return { text, tokens: countTokens(text, family, counter), kept, dropped };
}

/** What a dropped item would at least have taken. */
const LEAST_CHARS = 120;

/**
 * The briefing for programs: its text, which is what the budget holds for, and every decision behind it. Safe to
 * print: invisible characters are escaped.
 */
export function reportAsJson(
  { text, tokens, kept, dropped }: Handoff,
  { family, maxTokens, maxChars }: Budget,
  { checkpoint, resumeCommand }: { checkpoint: { checkpoint_id: string }; resumeCommand: string },
): string {
  const { checkpoint_id } = checkpoint;
  const budget = { max_tokens: maxTokens ?? null, max_chars: maxChars ?? null, family };
  const fields = { checkpoint_id, text, tokens, budget, kept, dropped, resume_command: resumeCommand };
  return visibleJson(JSON.stringify(fields, null, 2));
}
