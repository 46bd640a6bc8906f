import { asList, asText, own, textOf } from "../../../core/text/untrusted.ts";
import { clip, oneLine } from "../../../core/text/visible.ts";
import { withoutFolder } from "../../../core/text/without-folder.ts";
import { clipped, item, layered, listed } from "./forms.ts";
import type { Fit, Item } from "./item.ts";

/** Of so many files, the newest, the last edit is shown in detail. */
const WITH_LINES = 4;

/** What each edit did, what failed, what was read: what the transcript tells of the project. */
export function changes(state: unknown): Item[] {
  const activity = own(state, "activity");
  return [
    ...edits(activity),
    ...otherEdits(activity),
    ...results(activity),
    ...otherFailures(activity),
    ...reads(activity),
    ...references(activity),
    ...names(activity),
  ];
}

const texts = (value: unknown) => asList(value).flatMap((each) => asText(each) ?? []);
const count = (value: unknown) => (typeof value === "number" ? value : 0);

function edits(activity: unknown): Item[] {
  const all = asList(own(activity, "edits"));
  return all.flatMap((edit, index) => {
    const path = textOf(edit, "path");
    if (path === undefined) return [];
    const [symbols, lines] = [texts(own(edit, "symbols")), texts(own(edit, "lines"))];
    const head = `${path} ${editCounts(edit)}`;
    const told = symbols.length === 0 ? head : `${head}: ${symbols.join(", ")}`;
    const isNew = index >= all.length - WITH_LINES;
    const fit = clipped(clip(told, 500), head);
    const from = { at: textOf(edit, "at") };
    const base = { tier: 1 as const, words: `${told} ${lines.join(" ")}`, from };
    const detail =
      lines.length < 2 || !isNew
        ? []
        : [
            item({
              ...base,
              id: `activity.edits[${index}].lines`,
              section: "details",
              value: 5,
              fit: layered(nameOf(path), lines, 2),
            }),
          ];
    return [item({ ...base, id: `activity.edits[${index}]`, section: "edits", value: 10, fit }), ...detail];
  });
}

/** The files that there is no room to tell more of. */
function otherEdits(activity: unknown): Item[] {
  const paths = asList(own(activity, "edits")).flatMap((edit) => textOf(edit, "path") ?? []);
  return restItem("edits", "also: ", paths.map(nameOf).toReversed());
}

/** `(created, 3 edits, +10 −2, not committed)` */
function editCounts(edit: unknown): string {
  const number = count(own(edit, "edits"));
  const change = textOf(edit, "change");
  const commit = textOf(edit, "commit");
  const parts = [
    ...(change === "created" || change === "deleted" ? [change] : []),
    ...(number === 0 ? [] : [`${number} ${number === 1 ? "edit" : "edits"}`]),
    `+${count(own(edit, "added"))} −${count(own(edit, "removed"))}`,
    commit === undefined ? "not committed" : `in ${commit.slice(0, 12)}`,
  ];
  return `(${parts.join(", ")})`;
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

const LONGEST_COMMAND = 240;

/** Failures with what they printed; checks that passed, in one line. */
function results(activity: unknown): Item[] {
  const all = asList(own(activity, "results"));
  const newest = all.findLast((result) => own(result, "ok") === false);
  return all.flatMap((result, index) => {
    const command = textOf(result, "command");
    if (command === undefined) return [];
    const at = (textOf(result, "at") ?? "").slice(11, 16);
    const lines = texts(own(result, "lines"));
    const shown = `${clip(withoutFolder(command), LONGEST_COMMAND)}${folderOfCheck(result)}`;
    const base = {
      id: `activity.results[${index}]`,
      section: "results" as const,
      tier: 1 as const,
      words: `${command} ${lines.join(" ")}`,
      from: result,
    };
    if (own(result, "ok") !== false) {
      const words = `passed${at === "" ? "" : ` at ${at}`}: ${shown}${lines[0] === undefined ? "" : ` → ${clip(lines[0], 100)}`}`;
      return [item({ ...base, value: 5, fit: clipped(words) })];
    }
    const since = textOf(result, "passed_since");
    const settled = since === undefined ? "" : ` (but "${clip(since, 80)}" passed since)`;
    const head = `FAILED${at === "" ? "" : ` at ${at}`}: ${shown}${settled}`;
    const some = since !== undefined ? [] : lines.slice(0, result === newest ? 6 : 2);
    return [
      item({
        ...base,
        value: since === undefined ? 14 : 4,
        fit: layered(
          head,
          some.map((line) => clip(line, 180)),
        ),
      }),
    ];
  });
}

/** The same check may fail in one folder and pass in another. */
function folderOfCheck(result: unknown): string {
  return / \(in [^()]{1,200}\)$/.exec(textOf(result, "check") ?? "")?.[0] ?? "";
}

/** The failures that there is no room to tell more of. */
function otherFailures(activity: unknown): Item[] {
  const commands = asList(own(activity, "results"))
    .filter((result) => own(result, "ok") === false)
    .map((result) => {
      const command = withoutFolder(textOf(result, "command") ?? "");
      return `${oneLine(command).slice(0, 70).toWellFormed()}${folderOfCheck(result)}`;
    })
    .filter((words) => words !== "")
    .toReversed();
  return restItem("results", "also failed: ", commands);
}

/** What there is no room to tell more of, by name. */
function restItem(section: "edits" | "results", label: string, names: readonly string[]): Item[] {
  if (names.length < 2) return [];
  const fit: Fit = (chars, before) => {
    const others = names.filter((name) => !before.includes(name));
    return others.length === 0 ? undefined : listed(label, [...new Set(others)])(chars, before);
  };
  const id = `activity.${section}`;
  return [item({ id, section, tier: 1, value: 10, words: "", units: 0, fit, isRest: true })];
}

function reads(activity: unknown): Item[] {
  const changed = new Set(asList(own(activity, "edits")).map((edit) => textOf(edit, "path")));
  const all = asList(own(activity, "reads"))
    .flatMap((read) => {
      const [path, line] = [textOf(read, "path"), textOf(read, "line")];
      return path === undefined || changed.has(path) ? [] : [{ path, line }];
    })
    .toReversed()
    // The newest with their folders; of the others the names are enough to find them.
    .map(
      ({ path, line }, index) => `${index < 2 ? path : nameOf(path)}${line === undefined ? "" : `:${line}`}`,
    );
  if (all.length === 0) return [];
  return [
    item({
      id: "activity.reads",
      section: "reads",
      tier: 2,
      value: 5,
      words: all.join(" "),
      units: all.length,
      fit: listed("", all),
    }),
  ];
}

/** Commits by themselves, the other values in one line; the newest first. */
function references(activity: unknown): Item[] {
  const all = texts(own(activity, "references")).toReversed();
  const isNamed = (each: string) => /^(?:commit|branch) /.test(each);
  const named = all.filter(isNamed).slice(0, 8);
  const others = all.filter((each) => !isNamed(each)).slice(0, 18);
  const id = "activity.references";
  const base = { section: "references" as const, tier: 1 as const };
  return [
    ...named.map((words, index) => item({ ...base, id: `${id}[${index}]`, value: 10 / (index + 1), words })),
    ...(others.length === 0
      ? []
      : [
          item({
            ...base,
            id,
            value: 12,
            words: others.join(" "),
            units: others.length,
            fit: listed("", others),
          }),
        ]),
  ];
}

/** The names that matter most and that the text does not hold yet, under the files where they were met. */
function names(activity: unknown): Item[] {
  // Short ones first among equals: more of them fit.
  const worth = (each: unknown) =>
    count(own(each, "weight")) / Math.sqrt((textOf(each, "name") ?? "").length + 1);
  const all = asList(own(activity, "names")).toSorted((a, b) => worth(b) - worth(a));
  if (all.length === 0) return [];
  const words = all.map((each) => textOf(each, "name")).join(" ");
  const fit = (chars: number, before: string) => {
    const byFile = new Map<string, string[]>();
    let length = 0;
    let shows = 0;
    for (const each of all) {
      const name = textOf(each, "name");
      const file = textOf(each, "file") ?? "";
      if (name === undefined || before.includes(name)) continue;
      length += name.length + 2 + (byFile.has(file) ? 0 : file.length + 6);
      if (length > chars) break;
      byFile.set(file, [...(byFile.get(file) ?? []), name]);
      shows += 1;
    }
    if (shows === 0) return undefined;
    const lines = [...byFile].map(([file, found]) => `${file === "" ? "" : `${file}: `}${found.join(", ")}`);
    const [head, ...rest] = lines;
    const fitted = layered(head!, rest, rest.length)(Infinity, "");
    return fitted && fitted.text.length <= chars + 40
      ? { ...fitted, shows, isWhole: shows === all.length }
      : undefined;
  };
  return [
    item({
      id: "activity.names",
      section: "names",
      tier: 2,
      value: 5,
      words,
      units: all.length,
      fit,
      isRest: true,
    }),
  ];
}
