import type { questionOf } from "../verbs/run-outcome.ts";
import { oneLine } from "../../../core/text/visible.ts";
import { formatDuration } from "../../../core/text/duration.ts";
import { fit, lastPart, wrap } from "../../../work/terminal/columns.ts";
import type { Style } from "../../../work/terminal/output.ts";
import { count } from "../../../work/state/words.ts";

/** What the live view knows at one moment. */
export interface LiveState {
  readonly running: readonly RunningStep[];
  /** Steps that are tried again later. */
  readonly retrying: readonly { readonly step: string; readonly atMs: number }[];
  /** Names of steps that nothing has happened to yet. */
  readonly waiting: readonly string[];
  readonly completed: number;
  readonly total: number;
  readonly sinceMs: number;
  readonly asked: AskedQuestion | undefined;
  readonly isPausing: boolean;
  /** What Ctrl-C does, if it does not pause the run. */
  readonly ctrlC?: string | undefined;
}

interface RunningStep {
  readonly step: string;
  readonly attempt: number;
  readonly sinceMs: number;
  /** The last line that it printed. */
  readonly said: string;
}

/** The question that is answered at the terminal, and what has been typed so far. */
export type AskedQuestion = ReturnType<typeof questionOf> & {
  readonly typed: string;
  /** An answer before it that could not be understood. */
  readonly misread?: string | undefined;
};

export interface FrameOptions {
  readonly columns: number;
  readonly rows: number;
  readonly style: Style;
  readonly nowMs: number;
  /** Counts up: turns the spinner. */
  readonly turn: number;
}

const SPINNER = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏";

/** The lines of the live view, none wider than the terminal and never more than it has rows. Pure. */
export function liveFrame(state: LiveState, options: FrameOptions): string[] {
  const question = questionLines(state.asked, options);
  const end = [...question, barLine(state, options)];
  const room = Math.max(0, options.rows - end.length - 2);
  const steps = state.running.map((step) => stepLines(step, options));
  const retries = state.retrying.map((retry) => [retryLine(retry, options)]);
  return [...fitting([...steps, ...retries, ...nextLines(state, options)], room), ...end];
}

/** As many of the groups of lines as there is room for; what is left out is counted. */
function fitting(groups: readonly (readonly string[])[], room: number): string[] {
  const lines: string[] = [];
  for (const [index, group] of groups.entries()) {
    const isLast = index === groups.length - 1;
    if (lines.length + group.length > room - (isLast ? 0 : 1))
      return room === 0 ? [] : [...lines, `    + ${groups.length - index} more`];
    lines.push(...group);
  }
  return lines;
}

function stepLines({ step, attempt, sinceMs, said }: RunningStep, options: FrameOptions): string[] {
  const { style, columns, nowMs, turn } = options;
  const spinner = SPINNER[turn % SPINNER.length]!;
  const tries = attempt > 1 ? `  attempt ${attempt}` : "";
  const words = `${oneLine(step)}  ${seconds(nowMs - sinceMs)}${tries}`;
  const line = `${style.cyan(`[${spinner}]`)} ${fit(words, columns - 5)}`;
  return said === "" ? [line] : [line, style.dim(`    ${fit(oneLine(said), columns - 5)}`)];
}

function retryLine({ step, atMs }: LiveState["retrying"][number], options: FrameOptions): string {
  const { style, columns, nowMs } = options;
  const words = `${oneLine(step)}  retrying in ${seconds(Math.max(1000, atMs - nowMs + 999))}`;
  return `${style.yellow("[!]")} ${fit(words, columns - 5)}`;
}

function nextLines({ waiting }: LiveState, { style, columns }: FrameOptions): string[][] {
  if (waiting.length === 0) return [];
  return [[style.dim(`[ ] ${fit(`then ${waiting.map(oneLine).join(", ")}`, columns - 5)}`)]];
}

function questionLines(asked: AskedQuestion | undefined, { style, columns, rows }: FrameOptions): string[] {
  if (asked === undefined) return [];
  const { step, question, options, files, reason, typed, misread } = asked;
  const room = columns - 5;
  const [first = "", ...more] = wholeLines(`${oneLine(step)}  ${oneLine(question)}`, room, rows);
  const seen = [
    ...(reason === null ? [] : [fit(`asked again: ${oneLine(reason)}`, room)]),
    ...(files.length === 0 ? [] : [fit(`to review: ${files.map(oneLine).join(", ")}`, room)]),
  ];
  const choices = options.map((option, index) => fit(`${index + 1}  ${oneLine(option)}`, room));
  const how = `${options.length === 0 ? "y approves" : "a number approves"}, n REASON rejects, Enter decides later`;
  return [
    `${style.yellow("[?]")} ${style.bold(first)}`,
    ...more.map((line) => `    ${style.bold(line)}`),
    ...seen.map((line) => style.dim(`    ${line}`)),
    ...fitting(
      choices.map((line) => [`    ${line}`]),
      Math.max(0, rows - 6 - more.length - seen.length),
    ),
    ...(misread === undefined
      ? []
      : [style.yellow(`    ${fit(`"${oneLine(misread)}" is not an answer here.`, room)}`)]),
    `    ${fit(how, room)}`,
    `  > ${lastPart(oneLine(typed), room - 1)}▏`,
  ];
}

/** The whole question if it fits a third of the terminal, because the user decides on it. */
function wholeLines(text: string, width: number, rows: number): string[] {
  const lines = wrap(text, width).split("\n");
  const most = Math.max(1, Math.floor(rows / 3));
  const shown = lines.length <= most ? lines : [...lines.slice(0, most - 1), lines.slice(most - 1).join(" ")];
  return shown.map((line) => fit(line, width));
}

function barLine(state: LiveState, { style, columns, nowMs }: FrameOptions): string {
  const { completed, total, sinceMs, isPausing } = state;
  const share = total === 0 ? 1 : completed / total;
  const percent = `${Math.floor(share * 100)} %`;
  const words = `${percent}  ${completed} of ${count(total, "step")}  ${seconds(nowMs - sinceMs)}`;
  const keys = isPausing ? "  pausing; Ctrl-C again ends at once" : `  ${state.ctrlC ?? "Ctrl-C pauses"}`;
  const left = columns - 1 - words.length;
  const hint = keys.length <= left ? keys : "";
  const room = Math.min(MAX_BAR, left - hint.length - 2);
  const width = room < MIN_BAR ? 0 : room;
  const full = Math.round(width * share);
  const bar = `${style.green("█".repeat(full))}${style.dim("░".repeat(width - full))}`;
  return `${bar}${width > 0 ? "  " : ""}${fit(words, columns - 1)}${style.dim(hint)}`;
}

/** A shorter bar says nothing, a longer one no more. */
const MIN_BAR = 8;
const MAX_BAR = 24;

/** Whole seconds: tenths would only flicker. */
const seconds = (ms: number) => (ms < 1000 ? "0 s" : formatDuration(Math.floor(ms / 1000) * 1000));
