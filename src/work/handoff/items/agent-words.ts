import type { Turn } from "../../state/activity.ts";
import type { WorkState } from "../../state/work-state.ts";
import { clip } from "../../../core/text/visible.ts";
import { piecesOf } from "./condense.ts";
import { condensed, item, present } from "./forms.ts";
import type { Item } from "./item.ts";
import { newsOnly } from "./news-only.ts";

/** What the agent said and did since the last request; and what it found, decided and reported before. `next` is told by itself. */
export function agentWords(state: WorkState, next: readonly Item[]): Item[] {
  const { activity, instructions = [] } = state;
  const { text, answers } = instructions.at(-1) ?? {};
  const current = currentTurn(state);
  const news = newsOnly(present([text, answers, ...next.map(({ words }) => words)]));
  // The newest first: what was said again later is told there.
  const items = [...(activity?.turns ?? []).entries()].toReversed().flatMap(([index, turn]) => {
    const last = turn.said.length - 1;
    const all = [...turn.said, ...(turn.wrote ?? [])];
    return [...all.entries()].toReversed().flatMap(([at, words]) => {
      const fresh = news(piecesOf(words)).filter(({ score }) => score > 0);
      if (fresh.length === 0) return [];
      const id = `activity.turns[${index}].said[${at}]`;
      const section = turn === current ? "since" : "findings";
      // What was committed is what became of all plans; the last words of a turn are its result.
      const value = turn === current ? 1 : at > last ? 1.8 : at === last ? 1.4 : 0.9;
      return [item({ id, section, value, words, ...condensed(fresh) })];
    });
  });
  return items.toReversed();
}

/** The last turn, if it belongs to the last request: after a new one it is what that request answers. */
function currentTurn({ activity, instructions = [], goal }: WorkState): Turn | undefined {
  const turn = activity?.turns.at(-1);
  const prompt = instructions.at(-1)?.text ?? goal;
  if (turn?.asked === undefined || prompt === undefined) return turn;
  return prompt.slice(0, 40) === turn.asked.slice(0, 40) ? turn : undefined;
}

/** How much of a question is told, with what there is to choose from. */
const LONGEST_NEXT = 450;

/** The question that a message ends with, and the lines before it that say what there is to choose from. */
function openQuestion(said: string): string | undefined {
  const lines = partsOf(said, /\n/);
  const at = lines.findLastIndex((line) => line.replace(/[*_`)]+$/, "").endsWith("?"));
  // What comes long before the end was a way to say something.
  if (at < 0 || at < lines.length - 3) return undefined;
  const told = [
    lines[at]!.replaceAll("**", "")
      .split(/(?<=[.!?:])\s+(?=\S)/)
      .at(-1)!,
  ];
  for (const line of lines.slice(0, at).toReversed()) {
    const isOption = /^(?:[-*]|\d+[.)]|\*\*|[A-D][.):])|:\**$/.test(line);
    if (!isOption || told.join(" ").length + line.length > LONGEST_NEXT) break;
    told.unshift(line.replaceAll("**", ""));
  }
  return told.join(" ");
}

const INTENTION =
  /\b(?:let me|I'll|I will|I need to|I should|next,? I|now I|I'm going to|going to|need to)\b/i;

/** A shorter sentence needs the one before it. */
const SHORT = 60;

/** The last sentence that says what it meant to do. */
function intention(said: string): string | undefined {
  const sentences = partsOf(said, /(?<=[.!?])\s+|\n+/);
  const at = sentences.findLastIndex((sentence) => INTENTION.test(sentence));
  if (at < 0) return undefined;
  return sentences.slice(sentences[at]!.length < SHORT && at > 0 ? at - 1 : at, at + 1).join(" ");
}

function partsOf(said: string, end: RegExp): string[] {
  return said.split(end).flatMap((part) => part.trim() || []);
}

/** What comes next where nobody recorded it: a question that waits, what the agent meant to do, a task, a failing check. */
export function derivedNextAction(state: WorkState): Item[] {
  const said = currentTurn(state)?.said.at(-1) ?? "";
  const { edits = [], results = [] } = state.activity ?? {};
  const edited = edits.at(-1)?.at ?? "";
  // What failed before the last edit may be mended by it, if anything passed since.
  const isChecked = results.some(({ ok, check, at }) => ok && check !== undefined && at > edited);
  const failing = results.findLast(
    ({ ok, check, passed_since: since, at }) =>
      !ok && check !== undefined && since === undefined && !(isChecked && at < edited),
  );
  const candidates: readonly (readonly [label: string, words: string | undefined])[] = [
    ["The agent asked, and has no answer yet", openQuestion(said)],
    ["The agent was about to", intention(said)],
    ["Task in progress", state.tasks.find(({ status }) => status === "in_progress")?.subject],
    ["Failing", failing?.check],
  ];
  const [label, what] = candidates.find(([, words]) => words !== undefined) ?? [];
  if (what === undefined) return [];
  const words = `(derived) ${label}: ${clip(what, LONGEST_NEXT).replace(/[.:;]$/, "")}`;
  return [item({ id: "next_action", section: "next_action", value: 50, words, origin: "tool" })];
}
