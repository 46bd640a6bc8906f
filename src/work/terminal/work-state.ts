import { type FieldName, fieldOf } from "../state/fields.ts";
import { otherFields, SHOWN_FIELDS } from "../state/shown-fields.ts";
import { readWorkState, type WorkState } from "../state/work-state.ts";
import { questionWords, runWords } from "../state/run-words.ts";
import { asText, describe, textOf } from "../../core/text/untrusted.ts";
import { clip, oneLine } from "../../core/text/visible.ts";
import { table } from "./columns.ts";
import type { Style } from "./output.ts";
import { type Block, recorded } from "./layout.ts";
import { ago } from "../../core/text/time.ts";
import { progress, taskLine } from "./tasks.ts";
import { count, filesTouched, words, gitLine, phaseName, outputLine } from "../state/words.ts";

/** How a view of the work state is made. */
export interface ViewOptions {
  readonly now: Date;
  readonly style: Style;
  /** How many entries of a long list are shown. */
  readonly limit: number;
}

/** The fields that have words of their own. All others are shown as their shape is: a text, or entry by entry. */
const LINES: { readonly [Name in FieldName]?: (state: WorkState, options: ViewOptions) => string[] } = {
  phase: phaseLines,
  tasks: taskLines,
  approvals_pending: (state, options) =>
    cut(
      state.approvals_pending.map((item) => oneLine(questionWords(item) ?? entryText(item))),
      options,
    ),
  blockers: (state, options) => cut(numberedLines(state.blockers), options),
  dependencies: serviceLines,
  variables: variableLines,
  recent_outputs: (state, options) => cut(state.recent_outputs.map(outputLine), options),
  files_touched: fileLines,
  commands: (state, options) =>
    cut(
      state.commands.map(({ argv }) => oneLine(argv.join(" "))),
      options,
    ),
  workspace: ({ workspace }) => gitLine(workspace),
  run: runLines,
  session: sessionLines,
};

/** Everything that a stored state says, as labelled blocks. */
export function workStateBlocks(stored: object, options: ViewOptions): Block[] {
  const state = readWorkState(stored);
  const field = (name: FieldName) => fieldBlock(name, state, options);
  return [
    ...SHOWN_FIELDS.filter((name) => name !== "next_action").map(field),
    {
      label: "Also",
      lines: cut(
        otherFields(stored).map(([name, value]) => `${oneLine(name)}: ${oneLine(describe(value, 200))}`),
        options,
      ),
    },
    // What comes next stands where the eye is: at the end.
    field("next_action"),
  ];
}

/** One field of a state. */
export function fieldBlock(name: FieldName, state: WorkState, options: ViewOptions): Block {
  const lines = LINES[name]?.(state, options) ?? linesOf(state[name], options);
  return { label: fieldOf(name)?.label ?? name, lines };
}

function linesOf(value: unknown, options: ViewOptions): string[] {
  if (Array.isArray(value)) return cut(value.map(entryText), options);
  if (value === undefined) return [];
  return recorded(asText(value) ?? describe(value, 200));
}

/** What an entry says, whichever field holds it, and the reason for it. */
export function entryText(item: unknown): string {
  const what = asText(item) ?? textOf(item, "text", "subject", "what", "name", "id") ?? describe(item, 200);
  const why = textOf(item, "why");
  return oneLine(why === undefined ? what : `${what} (${why})`);
}

/** The lines of a list whose entries are named by their numbers. */
export const numberedLines = (entries: readonly unknown[]): string[] =>
  entries.map((item, index) => `${index + 1}  ${entryText(item)}`);

/** The first lines, and how many of `total` are left out. */
function cut(lines: readonly string[], { limit, style }: ViewOptions, total = lines.length): string[] {
  const shown = total <= limit ? [...lines] : lines.slice(0, limit - 1);
  const more = total - shown.length;
  return more === 0 ? shown : [...shown, style.dim(`+ ${more} more`)];
}

function sessionLines({ session }: WorkState): string[] {
  if (session?.id === undefined) return [];
  const { id, client, status } = session;
  const what = [client, ...(status === undefined ? [] : [words(status)])].join(", ");
  return [oneLine(`${id}  ${what}: checkpoint sessions show ${id}`)];
}

function phaseLines(
  { phase, phases_completed: completed }: WorkState,
  { now, style }: ViewOptions,
): string[] {
  const lines: string[] = [];
  if (phase !== undefined) {
    const { status, started_at: started, notes } = phase;
    const isBad = status === "failed" || status === "blocked";
    const shown = oneLine(words(status));
    const facts = [isBad ? style.red(shown) : shown, started && `started ${ago(started, now)}`];
    lines.push(`${oneLine(phaseName(phase))}  ${facts.filter(Boolean).join(", ")}`);
    if (notes !== null) lines.push(style.dim(oneLine(notes)));
  }
  if (completed.length > 0) lines.push(`completed: ${oneLine(completed.join(", "))}`);
  return lines;
}

function taskLines({ tasks }: WorkState, options: ViewOptions): string[] {
  if (tasks.length === 0) return [];
  const lines = tasks.map((task) => taskLine(task, options.style, tasks));
  return [progress(tasks), ...cut(lines, { ...options, limit: options.limit * 2 })];
}

function serviceLines({ dependencies }: WorkState, { style }: ViewOptions): string[] {
  const rows = dependencies.map(({ name, status, endpoint, reason, latency_ms: latency }) => {
    const paint = status === "available" ? style.green : style.red;
    const facts = reason ?? (latency === undefined || latency === null ? "" : `${latency} ms`);
    return [oneLine(name), paint(oneLine(status)), oneLine(endpoint ?? ""), oneLine(facts)];
  });
  return rows.length === 0 ? [] : table(rows, undefined).split("\n");
}

function variableLines({ variables }: WorkState, options: ViewOptions): string[] {
  const rows = Object.entries(variables).map(([key, value]) => [
    oneLine(key),
    oneLine(clip(asText(value) ?? describe(value, 200), 1000)),
  ]);
  return rows.length === 0 ? [] : cut(table(rows, undefined).split("\n"), options);
}

/** How far the workflow run of this state has got. Its own screen, `runs show`, has the rest. */
function runLines({ run }: WorkState, options: ViewOptions): string[] {
  const found = runWords(run);
  if (found === undefined) return [];
  const named = (title: string, names: readonly string[]) =>
    names.length === 0 ? [] : [`${title}: ${names.join(", ")}`];
  const lines = [
    [found.head, found.detail].filter(Boolean).join("; "),
    ...cut(
      found.open.map((step) => `${step.id}: ${step.text}`),
      options,
    ),
    ...named("done", found.done),
    ...named("not done", found.pending),
    ...cut(
      found.results.map((step) => `result of ${step.id}: ${step.text}`),
      options,
    ),
    ...named("files", found.files),
  ];
  return lines.map((line) => oneLine(clip(line, 1000)));
}

function fileLines(state: WorkState, options: ViewOptions): string[] {
  const total = filesTouched(state);
  const lines = cut(state.files_touched.map(oneLine), options, total);
  return total === 0 ? [] : [`${count(total, "file")} touched`, ...lines];
}
