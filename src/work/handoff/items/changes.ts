import { asList, asText, own, textOf } from "../../../core/text/untrusted.ts";
import { cut } from "../../../core/text/cut.ts";
import { clip, oneLine } from "../../../core/text/visible.ts";
import { withoutFolder } from "../../../core/text/without-folder.ts";
import { headed, item, layered, listed, numberOf, present } from "./forms.ts";
import type { Fit, Item } from "./item.ts";
import { names } from "./names.ts";

/** What each edit did, what failed, what was read: what the transcript tells of the project. */
export function changes(state: unknown): Item[] {
  const activity = own(state, "activity");
  const list = (name: string) => asList(own(activity, name));
  return [
    ...edits(list("edits")),
    ...results(list("results")),
    ...reads(list("reads"), list("edits")),
    ...references(texts(own(activity, "references")).toReversed()),
    ...names(list("names"), nameOf(textOf(own(state, "session"), "cwd") ?? "")),
  ];
}

const texts = (value: unknown) => present(asList(value).map(asText));
const pathOf = (entry: unknown) => textOf(entry, "path");
const folderOf = (path = "") => path.slice(0, path.lastIndexOf("/") + 1);
const nameOf = (path: string) => path.slice(path.lastIndexOf("/") + 1);

/** Of so many files, the newest, the last edit is shown in detail. */
const WITH_LINES = 4;

function edits(all: readonly unknown[]): Item[] {
  return all.flatMap((edit, index) => {
    const path = pathOf(edit);
    if (path === undefined) return [];
    const [symbols, lines] = [texts(own(edit, "symbols")), texts(own(edit, "lines"))];
    // The newest file of a folder tells where it is.
    const isNewest = all.findLast((each) => folderOf(pathOf(each)) === folderOf(path)) === edit;
    const words = `${path}${editWords(edit)} ${symbols.join(", ")} ${lines.join(" ")}`;
    const base = { id: `activity.edits[${index}]`, words, from: edit };
    const head = `${isNewest ? path : nameOf(path)}${editWords(edit)}`;
    const change = item({ ...base, section: "edits", value: 10, ...headed(head, symbols) });
    if (lines.length < 2 || index < all.length - WITH_LINES) return [change];
    const detail = layered(nameOf(path), lines, 2);
    return [change, item({ ...base, id: `${base.id}.lines`, section: "details", value: 5, fit: detail })];
  });
}

/** ` created +10 −2 (1a2b3c4d)`, with the commit that holds it, if any does. */
function editWords(edit: unknown): string {
  const count = (name: string) => numberOf(own(edit, name));
  const [change, commit] = [textOf(edit, "change"), textOf(edit, "commit")];
  return present([
    change === "created" || change === "deleted" ? ` ${change}` : "",
    ` +${count("added")} −${count("removed")}`,
    commit === undefined ? "" : ` (${commit.slice(0, 8)})`,
  ]).join("");
}

const LONGEST_COMMAND = 160;

/** Failures with what they printed; then the checks that passed, in one line. */
function results(all: readonly unknown[]): Item[] {
  const isFailure = (result: unknown) => own(result, "ok") === false;
  const newest = all.findLast(isFailure);
  // How much of the output was shown says nothing about what was run.
  const commandOf = (result: unknown) =>
    withoutFolder(textOf(result, "command") ?? "?").replace(
      / 2>&1\b|(?: 2>&1)? \| (?:tail|head)(?: -\w+)*$/g,
      "",
    );
  const failures = all.flatMap((result, index) => {
    if (!isFailure(result)) return [];
    const lines = texts(own(result, "lines"));
    const since = textOf(result, "passed_since");
    const settled = since === undefined ? "" : ` (but "${clip(since, 80)}" passed since)`;
    const head = `FAILED${timeOf(result, " at ")}: ${clip(commandOf(result), LONGEST_COMMAND)}${folderOfCheck(result)}${settled}`;
    const some = since !== undefined ? [] : lines.slice(0, result === newest ? 6 : 2);
    const details = some.map((line) => clip(line, 180));
    // A failing check matters more than a command that was mistyped.
    const value = since !== undefined ? 4 : textOf(result, "check") === undefined ? 8 : 14;
    const words = `${textOf(result, "command")} ${lines.join(" ")}`;
    const fit = layered(head, details);
    return [item({ id: `activity.results[${index}]`, section: "results", value, words, fit, from: result })];
  });
  const passed = all
    .filter((result) => !isFailure(result))
    .map((result) => `${timeOf(result, "")}: ${clip(textOf(result, "check") ?? commandOf(result), 80)}`);
  const failed = all
    .filter(isFailure)
    .map((result) => `${oneLine(commandOf(result)).slice(0, 70).toWellFormed()}${folderOfCheck(result)}`);
  return [
    ...failures,
    ...listItem("results", "activity.results.passed", passed.toReversed(), { label: "passed at ", value: 6 }),
    ...others(failed.toReversed()),
  ];
}

function timeOf(result: unknown, before: string): string {
  const time = (textOf(result, "at") ?? "").slice(11, 16);
  return time === "" ? "" : `${before}${time}`;
}

/** The same check may fail in one folder and pass in another. */
function folderOfCheck(result: unknown): string {
  return / \(in [^()]{1,200}\)$/.exec(textOf(result, "check") ?? "")?.[0] ?? "";
}

/** The failures that there is no room to tell more of, by name. */
function others(failed: readonly string[]): Item[] {
  const fit: Fit = (chars, before) => {
    const absent = failed.filter((name) => !before.includes(name));
    return absent.length === 0 ? undefined : listed("also failed: ", [...new Set(absent)])(chars, before);
  };
  const base = { id: "activity.results", section: "results", words: "", units: 0 } as const;
  return failed.length < 2 ? [] : [item({ ...base, value: 10, fit, isRest: true })];
}

function reads(all: readonly unknown[], edited: readonly unknown[]): Item[] {
  const changed = new Set(edited.map(pathOf));
  const names = all
    .filter((read) => pathOf(read) !== undefined && !changed.has(pathOf(read)))
    .toReversed()
    // The names are enough to find them.
    .map((read) => present([nameOf(pathOf(read)!), textOf(read, "line")]).join(":"));
  return listItem("reads", "activity.reads", names, { value: 5 });
}

/** So many values are told at most. */
const MOST_REFERENCES = 24;
/** What people call things by, before what only programs know by heart; flags last. */
const RANKS = [
  /^(?:#\d+|[A-Z]+-\d+|commit .*)$/,
  /^(?:branch |http|v\d|localhost|127)/,
  /^[0-9a-f]*[a-f][0-9a-f]*$/,
  /^\d+$/,
];

const LONGEST_REFERENCE = 70;

/** The branch and the last commit, then the other values by kind, the newest first; each once. */
function references(all: readonly string[]): Item[] {
  const [branch, commit] = ["branch ", "commit "].map((kind) => all.find((each) => each.startsWith(kind)));
  const rankOf = (each: string) => {
    const rank = RANKS.findIndex((pattern) => pattern.test(each));
    return each === branch ? -2 : each === commit ? -1 : rank < 0 ? RANKS.length : rank;
  };
  const isSaidBy = (each: string) => (other: string) =>
    other !== each && (other.startsWith(`commit ${each} `) || each.endsWith(`/${other.replace("#", "")}`));
  const told = all
    .filter((each) => !all.some(isSaidBy(each)))
    .toSorted((a, b) => rankOf(a) - rankOf(b))
    .slice(0, MOST_REFERENCES)
    .map((each) => (each.startsWith("commit ") ? cut(each, LONGEST_REFERENCE) : each));
  return listItem("references", "activity.references", told, { value: 12 });
}

/** Several things in one line, as many as fit. */
function listItem(
  section: "results" | "reads" | "references",
  id: string,
  all: readonly string[],
  { label = "", value }: { readonly label?: string; readonly value: number },
): Item[] {
  if (all.length === 0) return [];
  const words = all.join(" ");
  const parts = [60, words.length + 2 * all.length].map((length, at) => ({ length, worth: 1 - at / 2 }));
  return [item({ id, section, value, words, units: all.length, fit: listed(label, all), parts })];
}
