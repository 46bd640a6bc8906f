import { asList, asText, own, textOf } from "../../../core/text/untrusted.ts";
import { clip, oneLine } from "../../../core/text/visible.ts";
import { withoutFolder } from "../../../core/text/without-folder.ts";
import { clipped, item, layered, listed, numberOf, present } from "./forms.ts";
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
  const told = all.flatMap((edit, index) => {
    const path = pathOf(edit);
    if (path === undefined) return [];
    const [symbols, lines] = [texts(own(edit, "symbols")).join(", "), texts(own(edit, "lines"))];
    // The newest file of a folder tells where it is.
    const isNewest = all.findLast((each) => folderOf(pathOf(each)) === folderOf(path)) === edit;
    const short = `${isNewest ? path : `…/${nameOf(path)}`} (${editWords(edit, false)})`;
    const about = symbols === "" ? "" : `: ${symbols}`;
    const full = `${path} (${editWords(edit, true)})${about}`;
    const fit = clipped(clip(full, 500), clip(`${short}${about}`, 400), short);
    const base = { id: `activity.edits[${index}]`, words: `${full} ${lines.join(" ")}`, from: edit };
    const change = item({ ...base, section: "edits", value: 10, fit });
    if (lines.length < 2 || index < all.length - WITH_LINES) return [change];
    const detail = layered(nameOf(path), lines, 2);
    return [change, item({ ...base, id: `${base.id}.lines`, section: "details", value: 5, fit: detail })];
  });
  const paths = present(all.map(pathOf)).map(nameOf);
  return [...told, ...others("edits", "also: ", paths.toReversed())];
}

/** `created, 3 edits, +10 −2, not committed` */
function editWords(edit: unknown, isCounted: boolean): string {
  const count = (name: string) => numberOf(own(edit, name));
  const [change, commit, number] = [textOf(edit, "change"), textOf(edit, "commit"), count("edits")];
  return present([
    change === "created" || change === "deleted" ? change : undefined,
    isCounted && number > 0 ? `${number} ${number === 1 ? "edit" : "edits"}` : undefined,
    `+${count("added")} −${count("removed")}`,
    commit === undefined ? "not committed" : `in ${commit.slice(0, 12)}`,
  ]).join(", ");
}

const LONGEST_COMMAND = 160;

/** Failures with what they printed; then the checks that passed, in one line. */
function results(all: readonly unknown[]): Item[] {
  const isFailure = (result: unknown) => own(result, "ok") === false;
  const newest = all.findLast(isFailure);
  const commandOf = (result: unknown) => withoutFolder(textOf(result, "command") ?? "?");
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
    ...others("results", "also failed: ", failed.toReversed()),
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

/** What there is no room to tell more of, by name. */
function others(section: "edits" | "results", label: string, all: readonly string[]): Item[] {
  if (all.length < 2) return [];
  const fit: Fit = (chars, before) => {
    const absent = all.filter((name) => !before.includes(name));
    return absent.length === 0 ? undefined : listed(label, [...new Set(absent)])(chars, before);
  };
  return [item({ id: `activity.${section}`, section, value: 10, words: "", units: 0, fit, isRest: true })];
}

function reads(all: readonly unknown[], edited: readonly unknown[]): Item[] {
  const changed = new Set(edited.map(pathOf));
  const names = all
    .filter((read) => pathOf(read) !== undefined && !changed.has(pathOf(read)))
    .toReversed()
    // The newest with its folder, if it is in the project; of the others the names are enough to find them.
    .map((read, index) => {
      const path = pathOf(read)!;
      const place = index === 0 && !path.startsWith("/") ? path : nameOf(path);
      return present([place, textOf(read, "line")]).join(":");
    });
  return listItem("reads", "activity.reads", names, { value: 5 });
}

/** Commits by themselves, the other values in one line; the newest first. */
function references(all: readonly string[]): Item[] {
  const id = "activity.references";
  const isNamed = (each: string) => /^(?:commit|branch) /.test(each);
  const named = all.filter(isNamed).slice(0, 8);
  // What people say to each other before what only programs know by heart.
  const rankOf = (each: string) => (/^\d+$/.test(each) ? 2 : /^[0-9a-f]+$/.test(each) ? 1 : 0);
  const others = all.filter((each) => !isNamed(each)).toSorted((a, b) => rankOf(a) - rankOf(b));
  return [
    ...named.map((words, index) =>
      item({ id: `${id}[${index}]`, section: "references", value: 16 / (index + 1), words }),
    ),
    ...listItem("references", id, others.slice(0, 18), { value: 12 }),
  ];
}

/** Several things in one line, as many as fit. */
function listItem(
  section: "results" | "reads" | "references",
  id: string,
  all: readonly string[],
  { label = "", value }: { readonly label?: string; readonly value: number },
): Item[] {
  if (all.length === 0) return [];
  return [item({ id, section, value, words: all.join(" "), units: all.length, fit: listed(label, all) })];
}
