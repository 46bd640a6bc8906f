import type { Activity, FileEdit } from "../../state/activity.ts";
import type { EditEntry, StepEntry } from "../events/transcript-entry.ts";
import { declaredIn } from "./declarations.ts";

const MOST_FILES = 120;
const MOST_SYMBOLS = 18;

/** What edits did to each file, the last edited file last. */
export function noteEdits(activity: Activity, edits: readonly EditEntry[], at: string): void {
  for (const edit of edits) {
    const before = activity.edits.find(({ path }) => path === edit.path);
    const others = activity.edits.filter((each) => each !== before);
    activity.edits = [...others, merged(before, edit, at)].slice(-MOST_FILES);
  }
}

function merged(before: FileEdit | undefined, edit: EditEntry, at: string): FileEdit {
  const [added, removed] = edit.counts;
  // Once committed, its lines are counted anew.
  const open = before?.commit === undefined ? before : undefined;
  return {
    path: edit.path,
    at,
    change: open?.change === "created" && edit.change === "changed" ? "created" : edit.change,
    edits: (open?.edits ?? 0) + 1,
    added: (open?.added ?? 0) + added,
    removed: (open?.removed ?? 0) + removed,
    symbols: joined(before?.symbols ?? [], symbolsOf(edit)).slice(-MOST_SYMBOLS),
  };
}

/** Each declaration once, with what all edits together did to it: what came and went again is not told. */
function joined(before: readonly string[], now: readonly string[]): string[] {
  const marks = new Map<string, string>();
  for (const symbol of [...before, ...now]) {
    const [mark, name] = /^[+-]/.test(symbol) ? [symbol[0]!, symbol.slice(1)] : ["", symbol];
    const known = marks.get(name);
    marks.delete(name);
    if (known === "+" && mark === "-") continue;
    marks.set(name, known === "+" ? "+" : known === "-" ? "" : mark);
  }
  return [...marks].map(([name, mark]) => `${mark}${name}`);
}

/** What git prints of how many files are in a commit. */
const FILES = /^ (?<count>\d+) files? changed/;
const MESSAGE = /(?:-\w*m|--message)[ =]?(?<quote>["'])[^]*?\k<quote>/g;

/** Every edit before a commit is in it; if it holds fewer files, and the command names some of them, only those. */
export function noteCommitted(
  activity: Activity,
  commit: string,
  { command = "", mentions = [] }: StepEntry,
): void {
  const count = mentions.map((line) => FILES.exec(line)?.groups?.["count"]).findLast(Boolean);
  const open = activity.edits.filter((edit) => edit.commit === undefined);
  const words = command.replaceAll(MESSAGE, "");
  const named = open.filter(({ path }) => words.includes(path.slice(path.lastIndexOf("/") + 1)));
  const isPart = named.length > 0 && Number(count ?? Infinity) < open.length;
  const inside = new Set(isPart ? named : open);
  activity.edits = activity.edits.map((edit) => (inside.has(edit) ? { ...edit, commit } : edit));
}

/** Declarations that were changed, came (`+`) and went (`-`); a name replaced by another as `old → new`. */
function symbolsOf({ path, removed, added, inside }: EditEntry): string[] {
  const [gone, came] = [declaredIn(path, removed), declaredIn(path, added)];
  const renamed = renameIn(removed, added);
  const touched = [...came].filter((name) => gone.has(name));
  return [
    ...(inside === undefined ? [] : [inside]),
    ...(renamed === undefined ? [] : [renamed]),
    ...touched,
    ...[...came].filter((name) => !gone.has(name)).map((name) => `+${name}`),
    ...[...gone].filter((name) => !came.has(name)).map((name) => `-${name}`),
  ];
}

const LONGEST_RENAMED = 300;

/** If one word of a single line was replaced, what by what. */
function renameIn(removed: string, added: string): string | undefined {
  if (removed === "" || added === "" || removed.length > LONGEST_RENAMED || added.length > LONGEST_RENAMED)
    return undefined;
  const words = (text: string) => text.match(/[\w$]+|[^\w$\s]/g) ?? [];
  const [old, now] = [words(removed), words(added)];
  if (old.length !== now.length) return undefined;
  const pairs = new Set(
    old.flatMap((word, index) => (word === now[index] ? [] : [`${word} → ${now[index]}`])),
  );
  const [pair] = pairs;
  return pairs.size === 1 && /[A-Za-z]\w{2,} → \w/.test(pair!) ? pair : undefined;
}
