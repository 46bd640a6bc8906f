import type { Activity, CommandResult, FileEdit } from "../../state/activity.ts";
import type { WorkState } from "../../state/work-state.ts";
import { clip } from "../../../core/text/visible.ts";
import { withoutFolder } from "../../../core/text/without-folder.ts";
import { headed, item, layered, lineItem } from "./forms.ts";
import type { Item } from "./item.ts";
import { names } from "./names.ts";
import { branchOf, minute } from "./standing.ts";

/** What each edit did, what failed, what was read: what the transcript tells of the project. */
export function changes({ activity, session }: WorkState): Item[] {
  if (activity === undefined) return [];
  return [
    ...edits(activity.edits),
    ...results(activity.results),
    ...reads(activity),
    ...references(activity, branchOf(activity)),
    ...names(activity.names, nameOf(session?.cwd ?? "")),
  ];
}

const folderOf = (path: string) => path.slice(0, path.lastIndexOf("/") + 1);
const nameOf = (path: string) => path.slice(path.lastIndexOf("/") + 1);

function edits(all: readonly FileEdit[]): Item[] {
  return all.map((edit, index) => {
    const { path, symbols } = edit;
    // The newest file of a folder tells where it is.
    const isNewest = all.findLast((each) => folderOf(each.path) === folderOf(path)) === edit;
    const head = `${isNewest ? path : nameOf(path)}${editWords(edit)}`;
    const words = `${path}${editWords(edit)} ${symbols.join(", ")}`;
    const id = `activity.edits[${index}]`;
    return item({ id, section: "edits", value: 10, words, ...headed(head, symbols) });
  });
}

/** ` created +10 −2 (1a2b3c4d)`, with the commit that holds it, if any does. */
function editWords({ change, added, removed, commit }: FileEdit): string {
  const how = change === "changed" ? "" : ` ${change}`;
  return `${how} +${added} −${removed}${commit === undefined ? "" : ` (${commit.slice(0, 8)})`}`;
}

const LONGEST_COMMAND = 90;

/** Failures with what they printed. What passed stands with the files. */
function results(all: readonly CommandResult[]): Item[] {
  const newest = all.findLast(({ ok }) => !ok);
  return all.flatMap((result, index) => {
    const { ok, at, lines, passed_since: since, check, command } = result;
    if (ok) return [];
    const settled = since === undefined ? "" : ` (but "${clip(since, 80)}" passed since)`;
    const head = `FAILED at ${minute(at)}: ${clip(commandOf(result), LONGEST_COMMAND)}${folderOfCheck(result)}${settled}`;
    const some = since !== undefined ? [] : lines.slice(0, result === newest ? 6 : 2);
    const details = some.map((line) => clip(line.trim(), 180));
    // A failing check matters more than a command that was mistyped.
    const value = since !== undefined ? 4 : check === undefined ? 8 : 14;
    const words = `${command} ${lines.join(" ")}`;
    // Every head comes before what any of them printed.
    const parts = [head, details.join("    |\n")].map(({ length }, at) => ({
      length: length + 3,
      worth: 1 - at * 0.9,
    }));
    const fit = layered(head, details);
    return [item({ id: `activity.results[${index}]`, section: "results", value, words, parts, fit })];
  });
}

/** How much of the output was shown says nothing about what was run. */
function commandOf({ command }: CommandResult): string {
  return withoutFolder(command).replace(/ 2>&1\b|(?: 2>&1)? \| (?:tail|head)(?: -\w+)*$/g, "");
}

/** The same check may fail in one folder and pass in another. */
function folderOfCheck({ check = "" }: CommandResult): string {
  return / \(in [^()]{1,200}\)$/.exec(check)?.[0] ?? "";
}

function reads({ reads: all, edits: edited }: Activity): Item[] {
  const changed = new Set(edited.map(({ path }) => path));
  // The names are enough to find them.
  const files = all
    .filter(({ path }) => !changed.has(path))
    .map(({ path, line }) => (line === undefined ? nameOf(path) : `${nameOf(path)}:${line}`));
  return lineItem("edits", "activity.reads", files.toReversed(), { label: "only read: ", value: 10 });
}

/** So many values are told at most. */
const MOST_REFERENCES = 24;
/** What people call things by, before what only programs know by heart; flags last. */
const RANKS = [/^(?:#\d+|[A-Z]+-\d+)$/, /^(?:branch |http|v\d|localhost|127)/, /[a-f]/, /^\d+$/, /^--/];

/** Values by kind, the newest first; each once, and not the branch and the commits that are told of already. */
function references({ references: all, commits = [] }: Activity, branch: string | undefined): Item[] {
  const rankOf = (each: string) => RANKS.findIndex((pattern) => pattern.test(each));
  const isTold = (each: string) =>
    each === `branch ${branch}` ||
    commits.some(({ hash }) => hash.startsWith(each)) ||
    all.some((other) => other !== each && each.endsWith(`/${other.replace("#", "")}`));
  const told = all
    .toReversed()
    .filter((each) => !isTold(each))
    .toSorted((a, b) => rankOf(a) - rankOf(b))
    .slice(0, MOST_REFERENCES);
  return lineItem("situation", "activity.references", told, { value: 30 });
}
