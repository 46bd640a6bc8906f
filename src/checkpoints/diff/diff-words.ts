import { asText, describe, textOf } from "../../text/untrusted.ts";
import { oneLine } from "../../text/visible.ts";
import { numberedName, outputLine, words } from "../../text/words.ts";
import type { Json } from "../../objects/json.ts";
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
  return changes === null ? "the one before it is gone" : diffSentence(changes, limit);
}

/** What changed in a few words: `task 2 Deploy: pending → in progress; + region = eu`. */
function diffSentence(diff: WorkDiff, limit = 3): string {
  const lines = diffSections(diff).flatMap(([title, lines]) => lines.map((line) => named(title, line)));
  const shown = lines.slice(0, limit);
  return lines.length > limit ? `${shown.join("; ")}; + ${lines.length - limit} more` : shown.join("; ");
}

/** A line that stands without its section's title. */
function named(title: string, line: string): string {
  const noun = { Phase: "phase ", Tasks: "task ", Git: "git " }[title] ?? "";
  const text = line.slice(2).replace(/^(\S+) {2}/, "$1 ");
  const words = text.toLowerCase().startsWith(noun) ? text : `${noun}${text}`;
  return line.startsWith("~") ? words : `${line[0]} ${words}`;
}

type DiffSection = [title: string, lines: string[]];

/** What changed, as sections of lines that begin with `+`, `-` or `~`. Empty when nothing did. */
export function diffSections({ phase, tasks, dependencies, variables, other }: WorkDiff): DiffSection[] {
  const taskLines = itemLines(
    tasks,
    (item) => `${name(item, "id")}  ${name(item, "subject")} (${words(name(item, "status"))})`,
  );
  const rest = other.filter(({ path }) => !isMirrored(path, taskLines.length > 0));
  const below = (field: string) => rest.filter(({ path }) => topOf(path) === field);
  const sections: DiffSection[] = [
    ["Phase", phase === null ? [] : [phaseLine(phase)]],
    ["Tasks", taskLines],
    ["Services", itemLines(dependencies, (item) => `${name(item, "name")} is ${name(item, "status")}`)],
    [
      "Variables",
      [
        ...Object.entries(variables.added).map(([key, value]) => `+ ${oneLine(key)} = ${short(value)}`),
        ...Object.entries(variables.changed).map(
          ([key, { from, to }]) => `~ ${oneLine(key)}: ${arrow(from, to)}`,
        ),
        ...Object.entries(variables.removed).map(([key, value]) => `- ${oneLine(key)} (was ${short(value)})`),
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

/** What the work is about comes first; fields that are not listed keep their order behind. */
const IMPORTANT = ["goal", "success_criteria", "next_action", "constraints", "decisions", "blockers"];

function byImportance(a: Other, b: Other): number {
  const rank = ({ path }: Other) => {
    const index = IMPORTANT.indexOf(topOf(path));
    return index < 0 ? IMPORTANT.length : index;
  };
  return rank(a) - rank(b);
}

const topOf = (path: string) => /^[A-Za-z_]*/.exec(path)?.[0] ?? "";

/** What only repeats another line: the active task besides its status, and who added something when. */
function isMirrored(path: string, hasTasks: boolean): boolean {
  return (path === "active_task_id" && hasTasks) || /\]\.(?:at|by)$/.test(path);
}

function fileLine({ kind, from, to }: Other): string {
  if (kind === "changed") return `~ ${arrow(from, to)}`;
  return `${SIGNS[kind]} ${short(kind === "added" ? to : from)}`;
}

function gitChange(change: Other): string {
  const { path, from, to } = change;
  if (path === "workspace.head") return `~ commit ${commit(from)} → ${commit(to)}`;
  if (path === "workspace.branch") return `~ branch ${arrow(from, to)}`;
  if (path === "workspace.dirty") return to === true ? "~ has uncommitted changes" : "~ nothing to commit";
  if (path !== "workspace") return otherLine(change);
  const branch = textOf(to ?? from, "branch") ?? "no branch";
  return oneLine(`${to === null ? "-" : "+"} ${branch} at ${commit(textOf(to ?? from, "head") ?? null)}`);
}

const commit = (value: Json) => (typeof value === "string" ? oneLine(value).slice(0, 10) : "none");

const SIGNS = { added: "+", removed: "-", changed: "~", moved: "~" } as const;

/** Lists of sentences, and what one of their entries is called. */
const SENTENCES: Readonly<Record<string, string>> = {
  constraints: "rule",
  decisions: "decision",
  blockers: "blocker",
  gotchas: "lesson",
  success_criteria: "done when",
  files_touched: "file",
  checks_failing: "failing",
  approvals_pending: "approval",
  recent_outputs: "output",
};

const TITLES: Readonly<Record<string, string>> = { ".why": "'s reason" };

function otherLine({ kind, path, from, to }: Other): string {
  const [, list = "", rest = ""] = /^([a-z_]+)\[\d+\](.*)$/.exec(path) ?? [];
  const label = SENTENCES[list] ?? words(path);
  // What an entry says is the entry; anything else about it has a name.
  const title =
    SENTENCES[list] === undefined || /^\.(?:text|what)$/.test(rest)
      ? label
      : `${label}${TITLES[rest] ?? rest}`;
  if (kind === "moved")
    return `~ ${oneLine(title)} moved from place ${Number(from) + 1} to ${Number(to) + 1}`;
  if (kind === "changed") return `~ ${oneLine(title)}: ${arrow(from, to)}`;
  return `${SIGNS[kind]} ${oneLine(title)}: ${short(kind === "added" ? to : from)}`;
}

function phaseLine({ from, to }: FromTo): string {
  if (from === null) return `+ ${phase(to)}`;
  if (to === null) return `- ${phase(from)}`;
  return `~ ${phase(from)} → ${phase(to)}`;
}

function phase(value: Json): string {
  const name = numberedName(textOf(value, "number"), textOf(value, "name") ?? "?");
  return oneLine(`${name} (${words(textOf(value, "status") ?? "?")})`);
}

function itemLines({ added, removed, changed }: ItemChanges, line: (item: unknown) => string): string[] {
  return [
    ...added.map((item) => `+ ${line(item)}`),
    ...changed.flatMap(({ id, title, fields }) => {
      const what = Object.entries(fields).flatMap(([field, change]) => fieldChange(field, change));
      if (what.length === 0) return [];
      return [
        `~ ${oneLine(id)}${title === "" || title === id ? "" : `  ${oneLine(title)}`}: ${what.join(", ")}`,
      ];
    }),
    ...removed.map((item) => `- ${line(item)}`),
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
    outputLine(value) ??
    describe(value, 120);
  const shown = oneLine(/^[a-z]+(?:_[a-z]+)+$/.test(text) ? words(text) : text);
  return shown.length > 120 ? `${shown.slice(0, 119)}…` : shown;
}

function name(item: unknown, field: string): string {
  return oneLine(textOf(item, field) ?? "?");
}
