import { asList, own, textOf } from "../../../core/text/untrusted.ts";
import { cut } from "../../../core/text/cut.ts";
import { clip } from "../../../core/text/visible.ts";
import { bothEnds } from "./condense.ts";
import { item, sentenceOf, shortenedBy } from "./forms.ts";
import type { Item } from "./item.ts";
import { type Recorder, recorderOf } from "./provenance.ts";

/** A shorter prompt says nothing without the one before it. */
const SUBSTANTIVE = 48;

/** What was asked: the current request in full, and those before it. */
export function prompts(state: unknown): Item[] {
  const all = promptsOf(state);
  const last = all.at(-1);
  if (last === undefined) return [];
  // What was typed while the agent worked adds to its request.
  const isMeanwhile = ({ entry }: Prompt) => own(entry, "meanwhile") === true;
  const isPartial = (each: Prompt) => each.text.length < SUBSTANTIVE || isMeanwhile(each);
  const longer = isPartial(last) ? all.slice(0, -1).findLast((each) => !isPartial(each)) : undefined;
  const now = longer === undefined ? [last] : [longer, last];
  return [
    ...now.map((each) => promptItem(each, "now", each === last || isMeanwhile(last) ? 100 : 50)),
    // The first one says what all of it is for.
    ...all
      .filter((each) => !now.includes(each))
      .map((each) => promptItem(each, each.id === "goal" ? "goal" : "instructions", 10)),
  ];
}

/** A longer goal is shown like any other prompt. */
const LONGEST_GOAL = 1500;

/** Whether the goal is a prompt among others: then it is told with them, not before them. */
export function isGoalAPrompt(state: unknown): boolean {
  const goal = sentenceOf(own(state, "goal"));
  if (goal === undefined || textOf(own(state, "session"), "goal_by") === undefined) return false;
  return asList(own(state, "instructions")).length > 0 || goal.length > LONGEST_GOAL;
}

/** Who typed the goal, if it is a prompt. */
export function goalRecorder(state: unknown): Recorder | undefined {
  return recorderOf({ by: textOf(own(state, "session"), "goal_by") });
}

function promptsOf(state: unknown): Prompt[] {
  const goal = isGoalAPrompt(state)
    ? [
        {
          id: "goal",
          text: sentenceOf(own(state, "goal"))!,
          entry: { by: textOf(own(state, "session"), "goal_by") },
        },
      ]
    : [];
  const asked = asList(own(state, "instructions")).flatMap((entry, index) => {
    const text = sentenceOf(entry);
    return text === undefined ? [] : [{ id: `instructions[${index}]`, text, entry }];
  });
  return [...goal, ...asked];
}

interface Prompt {
  readonly id: string;
  readonly text: string;
  readonly entry: unknown;
}

function promptItem(
  { id, entry, text }: Prompt,
  section: "now" | "goal" | "instructions",
  value: number,
): Item {
  const answers = textOf(entry, "answers");
  const context = answers === undefined ? "" : `\n← ${clip(answers, section === "now" ? 700 : 220)}`;
  const words = `${text}${context}`;
  const fit = shortenedBy(words, (_, chars) => {
    // The words themselves before what they answer.
    const own = Math.max(chars - context.length, Math.min(text.length, Math.floor(chars * 0.7)));
    const rest = chars - own;
    return `${bothEnds(text, own)}${rest > 60 ? cut(context, rest - 2) : ""}`;
  });
  return item({ id, section, tier: 1, value, words, fit, from: entry });
}
