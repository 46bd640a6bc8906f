import { asRecord, asText, describe, textOf } from "../../text/untrusted.ts";
import { clip } from "../../text/visible.ts";
import { listItems, verbatim, sentenceOf } from "./forms.ts";
import type { Item } from "./item.ts";

/** Without these the next agent does the wrong thing, or something that was forbidden. */
export function essentials(state: unknown): Item[] {
  return [
    ...rules(state, "goal", 100),
    ...rules(state, "next_action", 95),
    ...rules(state, "constraints", 90),
    ...approvals(state),
  ];
}

function rules(state: unknown, section: "goal" | "constraints" | "next_action", value: number): Item[] {
  return listItems(state, section, (entry) => {
    const words = sentenceOf(entry);
    return words === undefined ? undefined : { tier: 0, value, words, forms: verbatim(words) };
  });
}

const HEADLINE = [
  "what",
  "action",
  "subject",
  "step",
  "title",
  "name",
  "summary",
  "text",
  "command",
  "reason",
];

/** An approval that carries a whole document must not crowd out the rest. */
const MOST_FIELDS = 12;

/** What is asked for, then every other field of the request: the decision may depend on any of them. */
function approvals(state: unknown): Item[] {
  return listItems(state, "approvals_pending", (entry) => {
    const words = approvalWords(entry);
    return words === undefined ? undefined : { tier: 0, value: 85, words, forms: verbatim(words) };
  });
}

function approvalWords(entry: unknown): string | undefined {
  const record = asRecord(entry);
  if (record === undefined) return sentenceOf(entry);
  const headline = HEADLINE.find((name) => textOf(record, name) !== undefined);
  const rest = Object.entries(record)
    .filter(
      ([name, value]) => name !== headline && !["at", "by"].includes(name) && value !== null && value !== "",
    )
    .map(([name, value]) => `${name}: ${clip(asText(value) ?? describe(value, 300), 300)}`);
  const parts = headline === undefined ? rest : [textOf(record, headline)!, ...rest];
  const more = parts.length > MOST_FIELDS ? [`${parts.length - MOST_FIELDS} more fields`] : [];
  return parts.length === 0 ? undefined : [...parts.slice(0, MOST_FIELDS), ...more].join("; ");
}
