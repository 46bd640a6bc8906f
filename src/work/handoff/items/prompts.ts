import type { WorkState } from "../../state/work-state.ts";
import { cut } from "../../../core/text/cut.ts";
import { shortened } from "../../../core/text/shorten.ts";
import { clip, oneLine } from "../../../core/text/visible.ts";
import { item, shortenedBy } from "./forms.ts";
import type { Fit, Item } from "./item.ts";

type Instruction = NonNullable<WorkState["instructions"]>[number];

interface Prompt extends Instruction {
  readonly id: string;
}

/** A shorter prompt says nothing without the one before it. */
const SUBSTANTIVE = 48;

/** What was asked: the current request in full, and those before it. */
export function prompts(state: WorkState): Item[] {
  const all = promptsOf(state);
  const last = all.at(-1);
  if (last === undefined) return [];
  // What was typed while the agent worked adds to its request.
  const isPartial = ({ text, meanwhile }: Prompt) =>
    (text.length < SUBSTANTIVE && !text.startsWith("/")) || meanwhile === true;
  const longer = isPartial(last) ? all.slice(0, -1).findLast((each) => !isPartial(each)) : undefined;
  const now = longer === undefined ? [last] : [longer, last];
  // The first one says what all of it is for, unless it is a greeting, or a goal was set.
  const first = all.find(({ text }) => text.split(/\s+/).length > 2) ?? all[0];
  const goal = isGoalAPrompt(state) ? first : undefined;
  return [
    ...now.map((each) => promptItem(each, "now", each === last || last.meanwhile === true ? 100 : 50)),
    ...all
      .filter((each) => !now.includes(each))
      .map((each) => promptItem(each, each === goal ? "goal" : "instructions", 1)),
  ];
}

/** A longer goal is shown like any other prompt. */
const LONGEST_GOAL = 1500;

/** Whether the goal is a prompt among others: then it is told with them, not before them. */
export function isGoalAPrompt({ goal, session, instructions = [] }: WorkState): boolean {
  if (goal === undefined || session?.goal_by === undefined) return false;
  return instructions.length > 0 || goal.length > LONGEST_GOAL;
}

function promptsOf(state: WorkState): Prompt[] {
  const goal = { id: "goal", text: state.goal ?? "", by: state.session?.goal_by ?? "" };
  const asked = (state.instructions ?? []).map((each, index) => ({ ...each, id: `instructions[${index}]` }));
  return isGoalAPrompt(state) ? [goal, ...asked] : asked;
}

function promptItem(prompt: Prompt, section: "now" | "goal" | "instructions", value: number): Item {
  const { id, text, answers } = prompt;
  const told = section === "instructions" ? questionTo(prompt) : answers && clip(answers, 700);
  const context = told === undefined ? "" : `\n← ${told}`;
  const words = `${text}${context}`;
  const parts = section === "instructions" ? partsOf(text, words.length) : undefined;
  return item({ id, section, value, words, parts, fit: requestFit(text, context), from: prompt });
}

/** An answer says nothing without its question, one that names an option nothing without all of them; what else was said before it stands elsewhere. */
function questionTo({ text, answers = "" }: Prompt): string | undefined {
  if (answers.startsWith("refused:")) return clip(oneLine(answers), 140);
  const lines = answers.split("\n");
  const line = lines.findLast((each) => each.includes("?")) ?? lines.find((each) => each.startsWith("#"));
  if (line === undefined) return undefined;
  return /^(?:[\w']+ ){0,4}(?:[A-H]|\d)\b/.test(text)
    ? clip(answers, 220)
    : clip(line.replaceAll("**", ""), 140);
}

/** So much of a request usually tells what it was. */
const GIST = 120;
/** Words that rule something in or out. */
const DECIDES =
  /\b(?:no|not|don't|never|instead|prefer|must|only|keep|always|stop|revert|back|rather|want|make sure)\b/i;
/** "Please continue" says little. */
const SHORT = 28;

/** What was asked in a few words first, decisions before all else; the rest by and by. */
function partsOf(text: string, length: number): Item["parts"] {
  const worth = DECIDES.test(text) ? 3 : text.length < SHORT ? 0.8 : 2;
  return Array.from({ length: Math.ceil(length / GIST) }, (_, at) => ({
    length: Math.min(GIST, length - at * GIST) + MARKS,
    worth: at === 0 ? worth : 1 / Math.sqrt(at),
  }));
}

/** The bullet and the bars. */
const MARKS = 8;

/** In less room than that, the beginning says more than both ends. */
const LEAST_OF_ENDS = 300;

/** The words themselves before what they answer. */
function requestFit(text: string, context: string): Fit {
  return shortenedBy(`${text}${context}`, (_, chars) => {
    const part = text.length < SUBSTANTIVE ? 0.7 : 0.95;
    const own = Math.max(chars - context.length, Math.min(text.length, Math.floor(chars * part)));
    const rest = chars - own;
    // What a pasted log says last matters as much as what it begins with.
    const told = own < LEAST_OF_ENDS ? clip(text, own - 15) : shortened(text, own);
    return `${told}${rest > 60 ? cut(context, rest - 2) : ""}`;
  });
}
