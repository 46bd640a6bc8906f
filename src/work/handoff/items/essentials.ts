import { questionWords } from "../../state/run-words.ts";
import type { WorkState } from "../../state/work-state.ts";
import { asRecord, asText, describe, textOf } from "../../../core/text/untrusted.ts";
import { clip } from "../../../core/text/visible.ts";
import { item, listItems, verbatim } from "./forms.ts";
import type { Item } from "./item.ts";
import { recorderOf } from "./provenance.ts";
import { isGoalAPrompt } from "./prompts.ts";

/** Without these the next agent does the wrong thing, or something that was forbidden. */
export function essentials(state: WorkState): Item[] {
  const { goal, next_action: next, session } = state;
  const origin = recorderOf({ by: session?.goal_by });
  return [
    // A goal that is the first prompt stands among the prompts.
    ...(goal === undefined || isGoalAPrompt(state)
      ? []
      : [item({ id: "goal", section: "goal", origin, ...rule(goal, 100) })]),
    ...(next === undefined ? [] : [item({ id: "next_action", section: "next_action", ...rule(next, 95) })]),
    ...listItems("constraints", state.constraints, ({ text }) => rule(text, 90)),
    ...listItems("approvals_pending", state.approvals_pending, (entry) => {
      const words = approvalWords(entry);
      return words === undefined ? undefined : rule(words, 85);
    }),
  ];
}

/** Word for word: a rule cut short is another rule. */
const rule = (words: string, value: number) => ({ tier: 0 as const, value, words, fit: verbatim(words) });

const HEADLINE = "what action subject step title name summary text command reason".split(" ");

/** The fields that the words of a run's question say. */
const QUESTION = ["question", "run", "step", "options"];

/** An approval that carries a whole document must not crowd out the rest. */
const MOST_FIELDS = 12;

/** What is asked for, then every other field of the request: the decision may depend on any of them. */
function approvalWords(entry: unknown): string | undefined {
  const record = asRecord(entry);
  if (record === undefined) return asText(entry) ?? (entry === null ? undefined : describe(entry));
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
