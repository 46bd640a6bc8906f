import { boundaryHashOf, endOfRun } from "./cut.ts";
import {
  boundaryHashOfEntry,
  charsOfRun,
  joinParts,
  looseGroups,
  sizeOf,
  type Entry,
  type Group,
  type TreeLevel,
  type Tree,
} from "./entry.ts";
import { INDEX_SIZES, INLINE_CHILDREN, PIECE_SIZES, RUN_SIZES } from "./limits.ts";
import {
  grownValue,
  newIndex,
  newValue,
  type Child,
  type IndexKind,
  type NewObject,
  type WriteObject,
  type Target,
} from "./object-format.ts";
import { regroup } from "./regroup.ts";

/** A long array or object that is to be stored. */
export interface LongTree {
  readonly keys: readonly string[] | undefined;
  readonly entries: readonly Entry[];
  /** What it was before. */
  readonly old: Tree | undefined;
  /** How many entries at the front are known to be the old ones. */
  readonly same: number;
  readonly source: unknown;
}

/** Stores a long array or object: as one object, or as runs of entries under an index. */
export function storeTree({ keys, entries, old, same, source }: LongTree, writeObject: WriteObject): Tree {
  const groups = regroup({
    items: entries,
    old: old?.levels[0],
    same,
    ...(keys && { isSameKey: (index: number, oldIndex: number) => keys[index] === old?.keys?.[oldIndex] }),
    endOf: (open) => endOfRun(open, entries.length, (index) => cuttable(keys, entries, index), RUN_SIZES),
    write: (start, end, predecessor, grown) => {
      const { object, chars } =
        grownRun({ keys, entries }, end, predecessor, grown) ??
        wholeRun({ keys, entries }, start, end, predecessor);
      const bytes = object.links.length === 0 ? object.bytes : undefined;
      return { child: [end - start, writeObject(object)], chars, bytes };
    },
  });
  const levels: TreeLevel[] = [{ items: entries, groups }];
  const target = index(keys ? "M" : "A", levels, old?.levels ?? [], writeObject);
  return { kind: "tree", keys, entries, target, levels, part: undefined, source };
}

interface ElementRun {
  readonly object: NewObject;
  readonly chars: number;
}

type Entries = Pick<LongTree, "keys" | "entries">;

function wholeRun({ keys, entries }: Entries, start: number, end: number, predecessor?: Child): ElementRun {
  const { text, links } = joinParts(keys, entries, start, end);
  const object = newValue("V", text, links, predecessor?.[1]);
  return { object, chars: charsOfRun(text, entries.slice(start, end)) };
}

/** A run that only got longer: the cost of an append does not depend on how long its run is. */
function grownRun(
  { keys, entries }: Entries,
  end: number,
  predecessor?: Child,
  grown?: Group,
): ElementRun | undefined {
  if (grown?.bytes === undefined || grown.end === end) return undefined;
  const { text, links } = joinParts(keys, entries, grown.end, end);
  if (links.length > 0) return undefined;
  const object = grownValue(grown.bytes, text, predecessor?.[1]);
  return { object, chars: grown.chars + charsOfRun(text, entries.slice(grown.end, end)) };
}

function cuttable(keys: readonly string[] | undefined, entries: readonly Entry[], index: number) {
  const entry = entries[index] as Entry;
  if (!keys) return { size: sizeOf(entry), boundaryHash: boundaryHashOfEntry(entry) };
  const key = keys[index] as string;
  return { size: sizeOf(entry) + key.length, boundaryHash: boundaryHashOf(key) };
}

/**
 * Adds levels of index objects while there are many children. What comes after the last boundary of a level stays on the
 * spot, and so does its last child: the next entries change them, and an index object would have to be written again.
 */
function index(
  kind: IndexKind,
  levels: TreeLevel[],
  old: readonly TreeLevel[],
  writeObject: WriteObject,
): Target {
  for (;;) {
    const below = (levels.at(-1) as TreeLevel).groups;
    if (below.length <= INLINE_CHILDREN) break;
    // The last one is not asked: it changes with every entry that is added.
    const children = below.slice(0, -1).map((group) => group.child);
    const groups = regroup({
      items: children,
      old: old[levels.length],
      onlyClosed: true,
      endOf: (open) =>
        endOfRun(open, children.length, (at) => cuttableChild(children[at] as Child), INDEX_SIZES),
      write: (start, end, predecessor) => {
        const slice = children.slice(start, end);
        const count = slice.reduce((sum, [childCount]) => sum + childCount, 0);
        const chars = below.slice(start, end).reduce((sum, group) => sum + group.chars, 0);
        return { child: [count, writeObject(newIndex(kind, slice, predecessor?.[1]))], chars };
      },
    });
    levels.push({ items: children, groups });
  }
  const children = looseGroups(levels).map((group) => group.child);
  return children.length === 1 ? (children[0] as Child)[1] : { kind, children };
}

function cuttableChild([, id]: Child) {
  return { size: 75, boundaryHash: Number.parseInt(id.slice(0, 8), 16) };
}

/** Stores a long string: whole, or, when it is very long, as pieces that end at lines. */
export function storeString(
  value: string,
  text: string,
  old: Target | undefined,
  writeObject: WriteObject,
): Target {
  if (text.length <= PIECE_SIZES.max) {
    return writeObject(newValue("V", text, [], typeof old === "string" ? old : undefined));
  }
  const lines = splitLines(value);
  const children: Child[] = [];
  for (let start = 0; start < lines.length;) {
    const { end } = endOfRun(
      { end: start, size: 0 },
      lines.length,
      (at) => cuttableLine(lines[at] as string),
      PIECE_SIZES,
    );
    const piece = lines.slice(start, end).join("");
    children.push([piece.length, writeObject(newValue("V", JSON.stringify(piece), []))]);
    start = end;
  }
  const groups = children.map((child, at) => ({ start: at, end: at + 1, child, chars: 0, closed: true }));
  return index("S", [{ items: lines, groups }], [], writeObject);
}

function cuttableLine(line: string) {
  return { size: line.length, boundaryHash: boundaryHashOf(line) };
}

/** Lines with their line feeds; a line without an end in sight is cut, so that no piece grows without bound. */
function splitLines(value: string): string[] {
  const lines: string[] = [];
  let endOfLine = 0;
  for (let start = 0; start < value.length;) {
    // Looked for once a line: a line of 50 MB is cut into thousands of pieces.
    if (endOfLine <= start) endOfLine = value.indexOf("\n", start) + 1 || value.length;
    const end = Math.min(endOfLine, start + PIECE_SIZES.min);
    lines.push(value.slice(start, end));
    start = end;
  }
  return lines;
}
