import type { Item } from "./item.ts";
import { asList, asRecord, asText, describeCut, own, textOf } from "../../text/untrusted.ts";
import { clip } from "../../text/visible.ts";
import { item, verbatim, wholeSentenceOf, worthOf } from "./forms.ts";

/**
 * Without these the next agent does the wrong thing, or something that was forbidden. How to tell when the goal
 * is reached stands beside them, but can be shortened.
 */
export function essentials(state: unknown): Item[] {
  return [
    ...sentences(state, "goal", 100),
    ...sentences(state, "next_action", 95),
    ...sentences(state, "constraints", 90),
    ...approvals(state),
    ...sentences(state, "success_criteria", 60),
  ];
}

type Essential = "goal" | "success_criteria" | "constraints" | "next_action";

function sentences(state: unknown, section: Essential, value: number): Item[] {
  const found = own(state, section);
  return asList(found).flatMap((entry, index) => {
    const words = wholeSentenceOf(entry);
    if (words === undefined) return [];
    const id = Array.isArray(found) ? `${section}[${index}]` : section;
    if (section === "success_criteria")
      return [item({ id, section, tier: 1, value: worthOf(value, words), words, from: entry })];
    return [item({ id, section, tier: 0, value, words, forms: verbatim(words), from: entry })];
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

/** What is asked for first, then everything else that the request says, since whoever decides needs it. */
function approvals(state: unknown): Item[] {
  return asList(own(state, "approvals_pending")).flatMap((entry, index) => {
    const words = approvalWords(entry);
    if (words === undefined) return [];
    const id = `approvals_pending[${index}]`;
    return [
      item({
        id,
        section: "approvals_pending",
        tier: 0,
        value: 85,
        words,
        forms: verbatim(words),
        from: entry,
      }),
    ];
  });
}

function approvalWords(entry: unknown): string | undefined {
  const record = asRecord(entry);
  if (record === undefined) return wholeSentenceOf(entry);
  const headline = HEADLINE.find((name) => textOf(record, name) !== undefined);
  const rest = Object.entries(record)
    .filter(
      ([name, value]) => name !== headline && !["at", "by"].includes(name) && value !== null && value !== "",
    )
    .map(([name, value]) => `${name}: ${clip(asText(value) ?? describeCut(value, 300), 300)}`);
  const parts = headline === undefined ? rest : [textOf(record, headline)!, ...rest];
  const more = parts.length > MOST_FIELDS ? [`${parts.length - MOST_FIELDS} more fields`] : [];
  return parts.length === 0 ? undefined : [...parts.slice(0, MOST_FIELDS), ...more].join("; ");
}
