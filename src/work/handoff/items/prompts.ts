import { asList, own, textOf } from "../../../core/text/untrusted.ts";
import { cut } from "../../../core/text/cut.ts";
import { clip } from "../../../core/text/visible.ts";
import { bothEnds } from "./condense.ts";
import { item, sentenceOf, shortenedBy } from "./forms.ts";
import type { Fit, Item } from "./item.ts";
import { type Recorder, recorderOf } from "./provenance.ts";

/** A shorter prompt says nothing without the one before it. */
const SUBSTANTIVE = 48;
/** An answer says nothing without a question; what else was said before a request stands elsewhere. */
const QUESTION = /\?|^refused:|^#/;

/** What was asked: the current request in full, and those before it. */
export function prompts(state: unknown): Item[] {
  const all = promptsOf(state);
  const last = all.at(-1);
  if (last === undefined) return [];
  // What was typed while the agent worked adds to its request.
  const isMeanwhile = ({ entry }: Prompt) => own(entry, "meanwhile") === true;
  const isPartial = (each: Prompt) =>
    (each.text.length < SUBSTANTIVE && !each.text.startsWith("/")) || isMeanwhile(each);
  const longer = isPartial(last) ? all.slice(0, -1).findLast((each) => !isPartial(each)) : undefined;
  const now = longer === undefined ? [last] : [longer, last];
  // The first one says what all of it is for, unless it is a greeting, or a goal was set.
  const first = all.find(({ text }) => text.split(/\s+/).length > 2) ?? all[0];
  const goal = isGoalAPrompt(state) ? first : undefined;
  return [
    ...now.map((each) => promptItem(each, "now", each === last || isMeanwhile(last) ? 100 : 50)),
    ...all
      .filter((each) => !now.includes(each))
      .map((each) => promptItem(each, each === goal ? "goal" : "instructions", 1)),
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
  const entry = { by: textOf(own(state, "session"), "goal_by") };
  const goal = isGoalAPrompt(state) ? [{ id: "goal", text: sentenceOf(own(state, "goal"))!, entry }] : [];
  const asked = asList(own(state, "instructions")).flatMap((each, index) => {
    const text = sentenceOf(each);
    return text === undefined ? [] : [{ id: `instructions[${index}]`, text, entry: each }];
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
  const isKept = answers !== undefined && (section !== "instructions" || QUESTION.test(answers));
  const context = !isKept ? "" : `\n← ${clip(answers, section === "now" ? 700 : 220)}`;
  const words = `${text}${context}`;
  const parts = section === "instructions" ? partsOf(text, words.length) : undefined;
  return item({ id, section, value, words, parts, fit: requestFit(text, context), from: entry });
}

/** So much of a request usually tells what it was. */
const GIST = 120;
/** Words that rule something in or out. */
const DECIDES =
  /\b(?:no|not|don't|never|instead|prefer|must|only|keep|always|stop|revert|back|rather|want|make sure)\b/i;

/** What was asked in a few words first, decisions before all else; the rest by and by. */
function partsOf(text: string, length: number): Item["parts"] {
  const worth = DECIDES.test(text) ? 3 : text.length < SUBSTANTIVE ? 1.5 : 2;
  return Array.from({ length: Math.ceil(length / GIST) }, (_, at) => ({
    length: Math.min(GIST, length - at * GIST) + MARKS,
    worth: at === 0 ? worth : 1 / Math.sqrt(at),
  }));
}

/** The bullet and the bars. */
const MARKS = 8;

/** The words themselves before what they answer. */
function requestFit(text: string, context: string): Fit {
  return shortenedBy(`${text}${context}`, (_, chars) => {
    const part = text.length < SUBSTANTIVE ? 0.7 : 0.95;
    const own = Math.max(chars - context.length, Math.min(text.length, Math.floor(chars * part)));
    const rest = chars - own;
    return `${bothEnds(text, own)}${rest > 60 ? cut(context, rest - 2) : ""}`;
  });
}
