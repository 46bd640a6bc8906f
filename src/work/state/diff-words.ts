import { asText, describe, textOf } from "../../core/text/untrusted.ts";
import { oneLine } from "../../core/text/visible.ts";
import { phaseName, outputLine, words } from "./words.ts";
import { FIELD_NAMES, fieldOf } from "./fields.ts";
import { read } from "../shape/read.ts";
import { output } from "./items.ts";
import type { Json } from "../../core/objects/json.ts";
import type { FromTo, ItemChanges, WorkDiff } from "./work-diff.ts";

/** A checkpoint among others, with what it changed. */
interface LoggedChange {
  readonly trigger: string;
  readonly restored_from: string | null;
  readonly parent_hash: string | null;
  readonly damaged: boolean;
  /** From the one before it; null if that is gone. */
  readonly changes: WorkDiff | null;
}

/** What a checkpoint changed, in a few words. */
export function changeSentence(
  { trigger, restored_from, parent_hash, damaged, changes }: LoggedChange,
  limit?: number,
): string {
  if (damaged) return "damaged: checkpoint verify";
  if (restored_from !== null && trigger === "fork") return `forked from ${restored_from}`;
  if (restored_from !== null) return `back to ${restored_from}`;
  if (parent_hash === null) return "the first of its trail";
  return changes === null ? "the checkpoint before it is gone" : diffSentence(changes, limit);
}

/** What changed in a few words: `task 2 Deploy: pending → in progress; + region = eu`. */
function diffSentence(diff: WorkDiff, limit = 3): string {
  const all = diffSections(diff).flatMap(([title, lines]) => lines.map((line) => named(title, line)));
  const shown = all.slice(0, limit).join("; ");
  return all.length > limit ? `${shown}; + ${all.length - limit} more` : shown;
}

/** A line that stands without its section's title. */
function named(title: string, { sign, text }: ChangeLine): string {
  const noun = { Phase: "phase ", Tasks: "task ", Git: "git " }[title] ?? "";
  const said = text.replace(/^(\S+) {2}/, "$1 ");
  const whole = said.toLowerCase().startsWith(noun) ? said : `${noun}${said}`;
  return sign === "~" ? whole : `${sign} ${whole}`;
}

/** One thing that was added, removed or changed. */
interface ChangeLine {
  readonly sign: "+" | "-" | "~";
  readonly text: string;
}

type DiffSection = [title: string, lines: ChangeLine[]];

const added = (text: string): ChangeLine => ({ sign: "+", text });
const removed = (text: string): ChangeLine => ({ sign: "-", text });
const edited = (text: string): ChangeLine => ({ sign: "~", text });

/** What changed, in sections; those without a change are left out. */
export function diffSections({ phase, tasks, dependencies, variables, other }: WorkDiff): DiffSection[] {
  const taskLines = itemLines(
    tasks,
    (item) => `${name(item, "id")}  ${name(item, "subject")} (${words(name(item, "status"))})`,
  );
  const rest = other.filter(({ path }) => !isRepeated(path, taskLines.length > 0));
  const below = (field: string) => rest.filter(({ path }) => topOf(path) === field);
  const sections: DiffSection[] = [
    ["Phase", phase === null ? [] : [phaseLine(phase)]],
    ["Tasks", taskLines],
    ["Services", itemLines(dependencies, (item) => `${name(item, "name")} is ${name(item, "status")}`)],
    [
      "Variables",
      [
        ...Object.entries(variables.added).map(([key, value]) => added(`${oneLine(key)} = ${short(value)}`)),
        ...Object.entries(variables.changed).map(([key, { from, to }]) =>
          edited(`${oneLine(key)}: ${arrow(from, to)}`),
        ),
        ...Object.entries(variables.removed).map(([key, value]) =>
          removed(`${oneLine(key)} (was ${short(value)})`),
        ),
      ],
    ],
    ["Work", rest.filter(isWork).toSorted(byImportance).map(otherLine)],
    ["Files", below("files_touched").map(fileLine)],
    ["Git", below("workspace").map(gitChange)],
  ];
  return sections.filter(([, lines]) => lines.length > 0);
}

type Other = WorkDiff["other"][number];

const isWork = ({ path }: Other) => !["files_touched", "workspace"].includes(topOf(path));

/** In the order of the table, which begins with what the work is about; unknown fields keep their order behind. */
function byImportance(a: Other, b: Other): number {
  const rank = ({ path }: Other) => {
    const index = (FIELD_NAMES as string[]).indexOf(topOf(path));
    return index < 0 ? FIELD_NAMES.length : index;
  };
  return rank(a) - rank(b);
}

/** The field of the work state that a path leads into. */
export const topOf = (path: string): string => path.replace(/[.[].*/s, "");

/** Changes that only repeat another line: the active task besides its status, and who added something when. */
function isRepeated(path: string, hasTasks: boolean): boolean {
  return (path === "active_task_id" && hasTasks) || /\]\.(?:at|by)$/.test(path);
}

function fileLine({ kind, from, to }: Other): ChangeLine {
  if (kind === "added") return added(short(to));
  return kind === "removed" ? removed(short(from)) : edited(arrow(from, to));
}

function gitChange(change: Other): ChangeLine {
  const { path, from, to } = change;
  if (path === "workspace.head") return edited(`commit ${commit(from)} → ${commit(to)}`);
  if (path === "workspace.branch") return edited(`branch ${arrow(from, to)}`);
  if (path === "workspace.dirty")
    return edited(to === true ? "has uncommitted changes" : "nothing to commit");
  if (path !== "workspace") return otherLine(change);
  const branch = textOf(to ?? from, "branch") ?? "no branch";
  const text = oneLine(`${branch} at ${commit(textOf(to ?? from, "head") ?? null)}`);
  return to === null ? removed(text) : added(text);
}

const commit = (value: Json) => (typeof value === "string" ? oneLine(value).slice(0, 10) : "none");

function otherLine({ kind, path, from, to }: Other): ChangeLine {
  const [, list = "", rest = ""] = /^([a-z_]+)\[\d+\](.*)$/.exec(path) ?? [];
  const entry = fieldOf(list)?.entry;
  // What an entry says is the entry; anything else about it has a name.
  const about = /^\.(?:text|what)$/.test(rest) ? "" : rest === ".why" ? "'s reason" : rest;
  const title = oneLine(entry === undefined ? words(path) : `${entry}${about}`);
  if (kind === "moved") return edited(`${title} moved from place ${Number(from) + 1} to ${Number(to) + 1}`);
  if (kind === "changed") return edited(`${title}: ${arrow(from, to)}`);
  return kind === "added" ? added(`${title}: ${short(to)}`) : removed(`${title}: ${short(from)}`);
}

function phaseLine({ from, to }: FromTo): ChangeLine {
  if (from === null) return added(phaseAndStatus(to));
  return to === null
    ? removed(phaseAndStatus(from))
    : edited(`${phaseAndStatus(from)} → ${phaseAndStatus(to)}`);
}

function phaseAndStatus(value: Json): string {
  return oneLine(`${phaseName(value)} (${words(textOf(value, "status") ?? "?")})`);
}

function itemLines(changes: ItemChanges, line: (item: unknown) => string): ChangeLine[] {
  return [
    ...changes.added.map((item) => added(line(item))),
    ...changes.changed.flatMap(({ id, title, fields }) => {
      const what = Object.entries(fields).flatMap(([field, change]) => fieldChange(field, change));
      if (what.length === 0) return [];
      const item = title === "" || title === id ? oneLine(id) : `${oneLine(id)}  ${oneLine(title)}`;
      return [edited(`${item}: ${what.join(", ")}`)];
    }),
    ...changes.removed.map((item) => removed(line(item))),
  ];
}

function fieldChange(field: string, { from, to }: FromTo): string[] {
  if (field === "status") return [arrow(from, to)];
  // The other end of the same line says it: that one waits for this.
  if (/^blocks\b/.test(field)) return [];
  if (/^blocked_by\b/.test(field))
    return [to === null ? `no longer waits for ${short(from)}` : `waits for ${short(to)}`];
  return [from === null ? `${words(field)}: ${short(to)}` : `${words(field)} ${arrow(from, to)}`];
}

function arrow(from: Json, to: Json): string {
  return `${short(from)} → ${short(to)}`;
}

/** A value in a few words: what a sentence says, a status as words, everything else as JSON. */
function short(value: Json): string {
  if (value === null) return "nothing";
  const text =
    asText(value) ??
    textOf(value, "text", "what", "subject", "name") ??
    outputText(value) ??
    describe(value, 120);
  const shown = oneLine(/^[a-z]+(?:_[a-z]+)+$/.test(text) ? words(text) : text);
  return shown.length > 120 ? `${shown.slice(0, 119)}…` : shown;
}

function outputText(value: Json): string | undefined {
  const found = read(output, value);
  return found && outputLine(found);
}

function name(item: unknown, field: string): string {
  return oneLine(textOf(item, field) ?? "?");
}
