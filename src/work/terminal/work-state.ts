import { KNOWN_WORK_FIELDS, type WorkState } from "../state/work-state.ts";
import { questionWords, runWords } from "../state/run-words.ts";
import { asList, asRecord, asText, describe, textOf } from "../../core/text/untrusted.ts";
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

/**
 * Everything that a work state says, as labelled blocks. The state may come from anywhere, so nothing about its
 * shape is taken for granted.
 */
export function workStateBlocks(state: Partial<WorkState>, options: ViewOptions): Block[] {
  return [
    text("Goal", state.goal),
    { label: "Done when", lines: listOf(state.success_criteria, options) },
    phaseBlock(state, options),
    tasksBlock(state.tasks, options),
    { label: "Rules", lines: listOf(state.constraints, options) },
    { label: "Approvals", lines: approvals(state.approvals_pending, options) },
    { label: "Blockers", lines: numbered(state.blockers, options) },
    { label: "Failing", lines: listOf(state.checks_failing, options) },
    { label: "Decided", lines: listOf(state.decisions, options) },
    { label: "Learned", lines: listOf(state.gotchas, options) },
    servicesBlock(state.dependencies, options),
    variablesBlock(state.variables, options),
    {
      label: "Outputs",
      lines: cut(
        asList(state.recent_outputs).map((item) => outputLine(item) ?? entryText(item)),
        options,
      ),
    },
    filesBlock(state, options),
    { label: "Git", lines: gitLine(state.workspace) },
    runBlock(state.run, options),
    { label: "Also", lines: unknownFields(state, options) },
    text("Next", state.next_action),
  ];
}

/** Unknown fields are kept, so they are shown. */
function unknownFields(state: Partial<WorkState>, options: ViewOptions): string[] {
  const shown = ["commands", "subagents"];
  const fields = Object.entries(state).filter(
    ([name, value]) => !KNOWN_WORK_FIELDS.has(name) || (shown.includes(name) && !isEmptyList(value)),
  );
  return cut(
    fields.map(([name, value]) => `${oneLine(name)}: ${oneLine(describe(value, 200))}`),
    options,
  );
}

const isEmptyList = (value: unknown) => Array.isArray(value) && value.length === 0;

export function text(label: string, value: unknown): Block {
  const shown = asText(value);
  return { label, lines: shown === undefined ? [] : recorded(shown) };
}

/** What an entry says, whichever field holds it, and the reason for it. */
export function entryText(item: unknown): string {
  const what = asText(item) ?? textOf(item, "text", "subject", "what", "name", "id") ?? describe(item, 200);
  const why = textOf(item, "why");
  return oneLine(why === undefined ? what : `${what} (${why})`);
}

/** The lines of a list whose entries are named by their numbers. */
export const numberedLines = (value: unknown): string[] =>
  asList(value).map((item, index) => `${index + 1}  ${entryText(item)}`);

function listOf(value: unknown, options: ViewOptions): string[] {
  return cut(asList(value).map(entryText), options);
}

/** Pending decisions. A question of a run names its run and step. */
export function approvals(value: unknown, options: ViewOptions): string[] {
  const line = (item: unknown) => oneLine(questionWords(item) ?? entryText(item));
  return cut(asList(value).map(line), options);
}

export const numbered = (value: unknown, options: ViewOptions): string[] =>
  cut(numberedLines(value), options);

/** The first lines, and how many of `total` are left out. */
function cut(lines: readonly string[], { limit, style }: ViewOptions, total = lines.length): string[] {
  const shown = total <= limit ? [...lines] : lines.slice(0, limit - 1);
  const more = total - shown.length;
  return more === 0 ? shown : [...shown, style.dim(`+ ${more} more`)];
}

export function phaseBlock(
  { phase, phases_completed }: Partial<WorkState>,
  { now, style }: ViewOptions,
): Block {
  const lines: string[] = [];
  if (textOf(phase, "name") !== undefined) {
    const started = textOf(phase, "started_at");
    const status = words(textOf(phase, "status") ?? "");
    const isBad = status === "failed" || status === "blocked";
    const facts = [isBad ? style.red(status) : status, started && `started ${ago(started, now)}`].filter(
      Boolean,
    );
    lines.push(`${oneLine(phaseName(phase))}${facts.length > 0 ? `  ${facts.join(", ")}` : ""}`);
    const notes = textOf(phase, "notes");
    if (notes !== undefined) lines.push(style.dim(oneLine(notes)));
  }
  const completed = asList(phases_completed).map((item) => oneLine(asText(item) ?? describe(item, 60)));
  if (completed.length > 0) lines.push(`completed: ${completed.join(", ")}`);
  return { label: "Phase", lines };
}

function tasksBlock(tasks: unknown, options: ViewOptions): Block {
  const list = asList(tasks);
  if (list.length === 0) return { label: "Tasks", lines: [] };
  const lines = cut(
    list.map((task) => taskLine(task, options.style, list)),
    { ...options, limit: options.limit * 2 },
  );
  return { label: "Tasks", lines: [progress(list), ...lines] };
}

function servicesBlock(dependencies: unknown, { style }: ViewOptions): Block {
  const rows = asList(dependencies).map((item) => {
    const status = textOf(item, "status") ?? "unknown";
    const paint = status === "available" ? style.green : style.red;
    const reason = textOf(item, "reason");
    const latency = textOf(item, "latency_ms");
    const facts = reason ?? (latency === undefined ? "" : `${latency} ms`);
    return [
      oneLine(textOf(item, "name") ?? "?"),
      paint(status),
      oneLine(textOf(item, "endpoint") ?? ""),
      oneLine(facts),
    ];
  });
  return { label: "Services", lines: rows.length === 0 ? [] : table(rows, undefined).split("\n") };
}

function variablesBlock(variables: unknown, options: ViewOptions): Block {
  const entries = Object.entries(asRecord(variables) ?? {});
  const rows = entries.map(([key, value]) => [
    oneLine(key),
    oneLine(clip(asText(value) ?? describe(value, 200), 1000)),
  ]);
  return {
    label: "Variables",
    lines: rows.length === 0 ? [] : cut(table(rows, undefined).split("\n"), options),
  };
}

/** How far the workflow run of this state has got. Its own screen, `runs show`, has the rest. */
function runBlock(run: unknown, options: ViewOptions): Block {
  const found = runWords(run);
  if (found === undefined) return { label: "Run", lines: [] };
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
  return { label: "Run", lines: lines.map((line) => oneLine(clip(line, 1000))) };
}

function filesBlock(state: Partial<WorkState>, options: ViewOptions): Block {
  const total = filesTouched(state);
  const lines = cut(asList(state.files_touched).map(entryText), options, total);
  return { label: "Files", lines: total === 0 ? [] : [`${count(total, "file")} touched`, ...lines] };
}
