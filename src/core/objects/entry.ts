import { boundaryHashOf } from "./cut.ts";
import { copyJson, setOwn, type Json, type JsonObject, type Path } from "./json.ts";
import { INLINE_CHARS } from "./limits.ts";
import type { Child, Link, Target } from "./object-format.ts";

/**
 * One value as it was last encoded or decoded: enough to recognise it, to write it again into its parent,
 * and to hand out a fresh copy. A tree of entries is the memory that makes the next commit cheap.
 */
export type Entry = Leaf | LongString | Tree;

/** A value that is written inline and holds no links. */
export interface Leaf {
  readonly kind: "leaf";
  readonly value: Json;
  /** Its JSON, once somebody needed it. */
  text: string | undefined;
  /** The caller's own object, when the caller promised never to change it. */
  source: unknown;
}

/** A string that is stored apart. */
interface LongString {
  readonly kind: "string";
  readonly value: string;
  readonly target: Target;
  /** The length of its JSON. */
  readonly chars: number;
}

/** An array (no keys) or an object (keys) that is long, or holds something that is. */
export interface Tree {
  readonly kind: "tree";
  readonly keys: readonly string[] | undefined;
  readonly entries: readonly Entry[];
  /** Where it is stored apart; absent when it is written inline, with links to its long parts. */
  readonly target: Target | undefined;
  /** How it was cut: runs of entries, then index objects over them. */
  readonly levels: readonly TreeLevel[];
  part: Part | undefined;
  source: unknown;
}

/** Items and the groups they were cut into; the groups' children are the items of the next level. */
export interface TreeLevel {
  readonly items: readonly unknown[];
  readonly groups: readonly Group[];
}

export interface Group {
  readonly start: number;
  readonly end: number;
  readonly child: Child;
  /** How many characters of JSON its values have, with a comma after each, and with everything they link to. */
  readonly chars: number;
  /** Whether it ends at a boundary, so that what follows it can never become part of it. */
  readonly closed: boolean;
  /** The sum of its items' sizes, if it is open and that is known: then it need not be cut from its beginning again. */
  readonly size?: number | undefined;
  /** The bytes of an open run without links: when it grows they are copied, not made again. */
  readonly bytes?: Uint8Array | undefined;
}

/** JSON text, with the places where linked objects belong (the text holds 0 there). */
export interface Part {
  readonly text: string;
  readonly links: readonly Link[];
}

const NO_LINKS: readonly Link[] = [];
const HERE: Path = [];

/** A container that is written inline, but not all that is in it. */
export function inlineTree(
  keys: readonly string[] | undefined,
  entries: readonly Entry[],
  source?: unknown,
): Tree {
  return { kind: "tree", keys, entries, target: undefined, levels: [], part: undefined, source };
}

/** What an entry contributes to the object that it sits in. */
export function partOf(entry: Entry): Part {
  if (entry.kind === "leaf") return { text: textOf(entry), links: NO_LINKS };
  if (entry.kind === "string") return { text: "0", links: [{ path: HERE, target: entry.target }] };
  entry.part ??=
    entry.target === undefined
      ? joinParts(entry.keys, entry.entries, 0, entry.entries.length)
      : { text: "0", links: [{ path: HERE, target: entry.target }] };
  return entry.part;
}

/** The entries from `start` to `end` as one array or object. */
export function joinParts(
  keys: readonly string[] | undefined,
  entries: readonly Entry[],
  start: number,
  end: number,
): Part {
  let text = keys ? "{" : "[";
  let links: Link[] | undefined;
  for (let index = start; index < end; index++) {
    const entry = entries[index] as Entry;
    if (index > start) text += ",";
    if (keys) text += `${JSON.stringify(keys[index])}:`;
    if (entry.kind === "leaf") {
      text += textOf(entry);
      continue;
    }
    const part = partOf(entry);
    text += part.text;
    const step = keys ? (keys[index] as string) : index - start;
    links ??= [];
    for (const link of part.links) links.push({ path: [step, ...link.path], target: link.target });
  }
  return { text: text + (keys ? "}" : "]"), links: links ?? NO_LINKS };
}

/**
 * How many characters the JSON of an entry has, with all that is stored apart. Costs little even for entries that were
 * read back: of what is stored apart the lengths are known, and what is inline is short.
 */
export function charsOf(entry: Entry): number {
  return partOf(entry).text.length + charsApart(entry);
}

/** How many more characters an entry has than the text that it adds to the object that it sits in. */
function charsApart(entry: Entry): number {
  if (entry.kind === "leaf") return 0;
  if (entry.kind === "string") return entry.chars - 1;
  if (entry.target === undefined) return entry.entries.reduce((sum, child) => sum + charsApart(child), 0);
  // One bracket more than commas, and one 0 less.
  return looseGroups(entry.levels).reduce((sum, group) => sum + group.chars, 0);
}

/** The brackets of a run are not part of the state; in their place a comma is counted. */
export function charsOfRun(text: string, entries: readonly Entry[]): number {
  return entries.reduce((sum, entry) => sum + charsApart(entry), text.length - 1);
}

/** The groups that are in no index object, in order: of every level those after its last boundary, the highest first. */
export function looseGroups(levels: readonly TreeLevel[]): Group[] {
  const loose: Group[] = [];
  for (let at = levels.length - 1, above: TreeLevel | undefined; at >= 0; above = levels[at--])
    loose.push(...(levels[at] as TreeLevel).groups.slice(above?.groups.at(-1)?.end ?? 0));
  return loose;
}

/** About how many characters the entry adds to the object that it sits in. */
export function sizeOf(entry: Entry): number {
  if (entry.kind === "leaf") return textOf(entry).length;
  const { text, links } = partOf(entry);
  return text.length + links.length * 80;
}

/** Whether a container has to be stored apart. Stops counting once it knows: the text of entries that were read back is made only when needed. */
export function isLong(keys: readonly string[] | undefined, entries: readonly Entry[]): boolean {
  let size = 2;
  for (let index = 0; index < entries.length && size <= INLINE_CHARS; index++) {
    size += sizeOf(entries[index] as Entry) + 1 + (keys ? (keys[index] as string).length + 3 : 0);
  }
  return size > INLINE_CHARS;
}

/** Elements with an id are cut by it, so that editing one moves no boundary. */
export function boundaryHashOfEntry(entry: Entry): number {
  const id = idOf(entry);
  if (id !== undefined) return boundaryHashOf(String(id));
  const { text, links } = partOf(entry);
  return links.length === 0 ? boundaryHashOf(text) : boundaryHashOf(text + JSON.stringify(links[0]?.target));
}

/** The value of its property `id`, if that can be one. */
function idOf(entry: Entry): string | number | undefined {
  let id: unknown;
  if (entry.kind === "tree") {
    const child = entry.keys && entry.entries[entry.keys.indexOf("id")];
    id = child && child.kind !== "tree" ? child.value : undefined;
  } else if (typeof entry.value === "object" && entry.value !== null && Object.hasOwn(entry.value, "id")) {
    id = (entry.value as JsonObject).id;
  }
  return typeof id === "string" || typeof id === "number" ? id : undefined;
}

function textOf(leaf: Leaf): string {
  leaf.text ??= JSON.stringify(leaf.value);
  return leaf.text;
}

/** The value, as a fresh copy that the caller may change. */
export function copyOf(entry: Entry): Json {
  if (entry.kind === "leaf") return copyJson(entry.value);
  return entry.kind === "string" ? entry.value : containerOf(entry, copyOf);
}

/** The value for a caller who never changes it. Every entry remembers what it handed out. */
export function sharedOf(entry: Entry): Json {
  if (entry.kind === "string") return entry.value;
  const value = entry.kind === "leaf" ? entry.value : containerOf(entry, sharedOf);
  if (typeof value === "object" && value !== null) entry.source = value;
  return value;
}

function containerOf({ keys, entries }: Tree, valueOf: (entry: Entry) => Json): Json {
  if (!keys) return entries.map(valueOf);
  const result: JsonObject = {};
  for (const [index, key] of keys.entries()) setOwn(result, key, valueOf(entries[index] as Entry));
  return result;
}
