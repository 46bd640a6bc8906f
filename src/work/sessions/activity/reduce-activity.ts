import { type Activity, emptyActivity, type Turn } from "../../state/activity.ts";
import type { WorkState } from "../../state/work-state.ts";
import { shortened } from "../../../core/text/shorten.ts";
import { noteGoal, noteInstruction } from "./instructions.ts";
import { notePrintedCommits } from "./commits.ts";
import { noteEdits } from "./file-edits.ts";
import { isSame } from "../reduce/set.ts";
import type { ActivityUpdate, PromptEntry, SaidEntry, StepEntry } from "../events/transcript-entry.ts";
import { NamesInPlay, noteBranch, noteReferences } from "./mentions.ts";
import { noteCheck, noteResult } from "./results.ts";
import { noteWritten } from "./written-lines.ts";

const MOST_SAID = 30;
/** Of one turn. */
const MOST_WRITTEN = 8;
const MOST_TURNS = 60;
const MOST_READS = 40;
/** What was read counts less than what was said or written. */
const READ_WEIGHT = 0.4;
/** Of all that was said; a briefing has room for a sixth of it. */
const MOST_SAID_CHARS = 60_000;

/** Adds what the agent said and did. What another process has added already changes nothing. */
export function reduceActivity(state: WorkState, update: ActivityUpdate | undefined): void {
  // Bookkeeping of the client alone is not worth a checkpoint.
  if (update === undefined || update.entries.length === 0) return;
  const { read, entries, isClients, goal, branch } = update;
  const before = state.activity;
  // Read from the beginning, it replaces what is known; otherwise it must continue exactly that.
  const isFirst = read !== undefined && read.from === undefined;
  if (read?.from !== undefined && !isSame(before?.read, read.from)) return;
  const activity = isFirst || before === undefined ? emptyActivity() : before;
  if (read !== undefined) activity.read = read.to;
  state.activity = activity;
  const typed = { by: isClients ? "person" : "unconfirmed", isAgain: isFirst && before?.read !== undefined };
  const names = new NamesInPlay(activity.names);
  for (const entry of entries) {
    if (entry.kind === "step") {
      noteStep(activity, entry, names);
      // Some clients tell their hooks nothing of how a command ended.
      noteCheck(state, entry);
      continue;
    }
    if (entry.kind === "compacted") {
      activity.compacted = { at: entry.at, known: activity.reads.map(({ path }) => path), again: [] };
      continue;
    }
    noteReferences(activity, entry.text);
    names.note(entry.text);
    if (entry.kind === "prompt") notePrompt(state, activity, entry, typed);
    else noteSaid(activity, entry);
  }
  if (goal !== undefined) noteGoal(state, goal);
  if (branch !== undefined) noteBranch(activity, branch);
  activity.names = names.list();
  keepWithinBounds(activity);
}

function notePrompt(
  state: WorkState,
  activity: Activity,
  { text, at, answers, isDoubtful, isMidTurn }: PromptEntry,
  { by, isAgain }: { readonly by: string; readonly isAgain: boolean },
): void {
  const question = answers ?? questionBefore(text, activity.turns.at(-1)?.said.at(-1));
  const isReply = answers !== undefined;
  const typed = { text, at, by: isDoubtful ? "unconfirmed" : by, isReply, answers: question, isMidTurn };
  noteInstruction(state, typed, isAgain);
  beginTurn(activity, text, at);
}

export function beginTurn(activity: Activity, prompt: string, at: string): void {
  activity.turns.push({ at, asked: shortened(prompt, 120), said: [] });
}

/** How an answer begins that goes on: an option, a word that agrees or not, a choice. */
const ANSWER =
  /^(?:[A-H]\b[^\w\s]|(?:\d|[B-H]|option \w|yes|yeah|yep|no|nope|ok(?:ay)?|sure|go ahead|agreed|correct|both|neither|either|none|do|use|take|go with|the (?:first|second|third|last|former|latter)|i(?:'d| would)? (?:think|prefer|like|choose) (?:\w+ )?[1-9B-H])\b)/i;

/** "yes" means nothing without its question. */
function questionBefore(prompt: string, said: string | undefined): string | undefined {
  const isShort = prompt.length < 48 && prompt.split(/\s+/).length < 9;
  // "B, but without the cache" names an option, "yes, but …" agrees to one.
  const isAnswer = prompt.length < 300 && said?.includes("?") === true && ANSWER.test(prompt);
  if (!(isShort || isAnswer) || said === undefined) return undefined;
  const paragraphs = said.trim().split(/\n\s*\n/);
  const asked = paragraphs.findLastIndex((paragraph) => paragraph.includes("?"));
  // What stands before a question are its options.
  const telling = asked < 0 ? paragraphs.slice(-1) : paragraphs.slice(Math.max(0, asked - 1), asked + 1);
  return shortened(telling.join("\n"), 700);
}

function noteSaid(activity: Activity, { text, at, isWritten }: SaidEntry): void {
  const turn = turnOf(activity, at);
  if (isWritten === true) {
    turn.wrote = [...(turn.wrote ?? []), text].slice(-MOST_WRITTEN);
    return;
  }
  if (turn.said.at(-1) === text) return;
  turn.said = [...turn.said, text].slice(-MOST_SAID);
}

function noteStep(activity: Activity, step: StepEntry, names: NamesInPlay): void {
  const turn = turnOf(activity, step.at);
  if (step.command !== undefined && step.ok !== null) noteResult(activity, step, step.command);
  // What was pushed came from somewhere, which says nothing.
  for (const line of step.mentions ?? []) if (!line.includes(" -> ")) noteReferences(activity, line);
  notePrintedCommits(activity, step, turn.at);
  noteEdits(activity, step.edits ?? [], step.at);
  noteWritten(activity, step.edits ?? [], turn.at);
  for (const { added, removed } of step.edits ?? []) names.note(`${removed}\n${added}`);
  if (step.path === undefined || step.ok === false) return;
  names.note(step.path);
  if (step.names !== undefined) names.note(step.names.join(" "), READ_WEIGHT);
  if (/^read/i.test(step.tool)) noteRead(activity, step.path, step.line);
}

function noteRead(activity: Activity, path: string, line: number | undefined): void {
  const { reads, compacted } = activity;
  if (compacted?.known.includes(path)) {
    compacted.known = compacted.known.filter((each) => each !== path);
    compacted.again.push(path);
  }
  const read = { path, ...(line === undefined ? {} : { line }) };
  activity.reads = [...reads.filter((each) => each.path !== path), read].slice(-MOST_READS);
}

/** The current turn; an agent may begin without a prompt. */
function turnOf(activity: Activity, at: string): Turn {
  const current = activity.turns.at(-1) ?? { at, said: [] };
  if (activity.turns.length === 0) activity.turns.push(current);
  return current;
}

/** The oldest turns are shortened, then dropped; earlier checkpoints still hold them. */
function keepWithinBounds(activity: Activity): void {
  let room = MOST_SAID_CHARS;
  for (const turn of activity.turns.toReversed()) {
    const length = [...turn.said, ...(turn.wrote ?? [])].join("").length;
    if (length > room) {
      turn.said = turn.said.slice(-1).map((text) => shortened(text, 500));
      delete turn.wrote;
    }
    room -= Math.min(length, room);
  }
  activity.turns = activity.turns.slice(-MOST_TURNS);
}
