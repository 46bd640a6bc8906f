import { questionWords } from "../../state/run-words.ts";
import { asRecord, asText, describe, textOf } from "../../../core/text/untrusted.ts";
import { clip } from "../../../core/text/visible.ts";
import { listItems, verbatim, sentenceOf } from "./forms.ts";
import type { Item } from "./item.ts";
import type { SectionName } from "./sections.ts";
import { goalRecorder, isGoalAPrompt } from "./prompts.ts";

/** Without these the next agent does the wrong thing, or something that was forbidden. */
export function essentials(state: unknown): Item[] {
  return [
    // A goal that is the first prompt stands among the prompts.
    ...(isGoalAPrompt(state)
      ? []
      : rules(state, "goal", 100).map((each) => ({ ...each, origin: each.origin ?? goalRecorder(state) }))),
    ...rules(state, "next_action", 95),
    ...rules(state, "constraints", 90),
    ...rules(state, "approvals_pending", 85, approvalWords),
  ];
}

/** Word for word: a rule cut short is another rule. */
function rules(
  state: unknown,
  section: SectionName,
  value: number,
  wordsOf: (entry: unknown) => string | undefined = sentenceOf,
): Item[] {
  return listItems(state, section, (entry) => {
    const words = wordsOf(entry);
    return words === undefined ? undefined : { tier: 0, value, words, fit: verbatim(words) };
  });
}

const HEADLINE = "what action subject step title name summary text command reason".split(" ");

/** The fields that the words of a run's question say. */
const QUESTION = ["question", "run", "step", "options"];

/** An approval that carries a whole document must not crowd out the rest. */
const MOST_FIELDS = 12;

/** What is asked for, then every other field of the request: the decision may depend on any of them. */
function approvalWords(entry: unknown): string | undefined {
  const record = asRecord(entry);
  if (record === undefined) return sentenceOf(entry);
  const question = questionWords(record);
  const name = HEADLINE.find((each) => textOf(record, each) !== undefined);
  const headline = question ?? (name === undefined ? undefined : textOf(record, name));
  const said = new Set(["at", "by", ...(question === undefined ? [name] : QUESTION)]);
  const rest = Object.entries(record)
    .filter(([field, value]) => !said.has(field) && value !== null && value !== "")
    .map(([field, value]) => `${field}: ${clip(asText(value) ?? describe(value, 300), 300)}`);
  const parts = headline === undefined ? rest : [headline, ...rest];
  const more = parts.length > MOST_FIELDS ? [`${parts.length - MOST_FIELDS} more fields`] : [];
  return parts.length === 0 ? undefined : [...parts.slice(0, MOST_FIELDS), ...more].join("; ");
}
