import { createHash } from "node:crypto";

import { CheckpointError } from "../errors.ts";
import type { Json, Path } from "./json.ts";
import { isObjectId, objectIdOf, type ObjectId } from "./object-id.ts";

/**
 * An object is UTF-8 text: its kind (one letter), its links (JSON, or nothing), a line feed, its body.
 *
 * V  a JSON value; links say where other objects belong inside it (the body holds 0 there)
 * C  a checkpoint: like V, and only a C can be one
 * A  the index of a long array: the concatenation of its children
 * M  the index of a big map: the entries of its children, in order
 * S  the index of a long string: the concatenation of its children
 * B  raw bytes, such as the content of a file: no links, and no value, so a state that links to one cannot be read
 */
export type IndexKind = "A" | "M" | "S";

/** One child of an index: how many elements, entries or characters it holds, and its object. */
export type Child = readonly [count: number, id: ObjectId];

/** What stands in a linked place: one object, or a short index written out on the spot. */
export type Target = ObjectId | { readonly kind: IndexKind; readonly children: readonly Child[] };

/** A place inside a body, and what belongs there. */
export interface Link {
  readonly path: Path;
  readonly target: Target;
}

export type ParsedObject =
  | { readonly kind: "V" | "C"; readonly links: readonly Link[]; readonly body: string }
  | { readonly kind: IndexKind; readonly children: readonly Child[] };

/** Of raw bytes the first line says nothing more. */
interface RawObject {
  readonly kind: "B";
}

/** An object ready to be stored. */
export interface NewObject {
  readonly id: ObjectId;
  readonly bytes: Uint8Array;
  /** The objects that the bytes refer to. */
  readonly links: readonly ObjectId[];
  /** An object with similar bytes: a store may keep only the difference. Absent: store it whole. */
  readonly predecessor?: ObjectId | undefined;
}

/** Takes a new object in, and returns its id. */
export type WriteObject = (object: NewObject) => ObjectId;

const LINE_FEED = 10;

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

export function newValue(
  kind: "V" | "C",
  body: string,
  links: readonly Link[],
  predecessor?: ObjectId,
): NewObject {
  const header = links.length === 0 ? "" : JSON.stringify(links.map(linkToJson));
  const bytes = Buffer.from(`${kind}${header}\n${body}`);
  return { id: objectIdOf(bytes), bytes, links: linkedIds({ kind, links, body }), predecessor };
}

/** A value without links that is an array or object, with more entries: `more` is the JSON of just these. */
export function grownValue(former: Uint8Array, more: string, predecessor?: ObjectId): NewObject {
  const bytes = Buffer.concat([former.subarray(0, -1), Buffer.from(`,${more.slice(1)}`)]);
  return { id: objectIdOf(bytes), bytes, links: [], predecessor };
}

export function newIndex(kind: IndexKind, children: readonly Child[], predecessor?: ObjectId): NewObject {
  const bytes = Buffer.from(`${kind}${JSON.stringify(children)}\n`);
  return { id: objectIdOf(bytes), bytes, links: children.map(([, id]) => id), predecessor };
}

/** How raw bytes begin. */
const RAW_HEADER = Buffer.from("B\n");

/** Raw bytes as an object. A store keeps only how they differ from their predecessor's. */
export function newBytes(content: Uint8Array, predecessor?: ObjectId): NewObject {
  const bytes = Buffer.concat([RAW_HEADER, content]);
  return { id: objectIdOf(bytes), bytes, links: [], predecessor };
}

/** The id of raw bytes, without a copy of them. */
export function rawIdOf(content: Uint8Array): ObjectId {
  return createHash("sha256").update(RAW_HEADER).update(content).digest("hex") as ObjectId;
}

/** Whether an object holds raw bytes. */
export function isRaw(bytes: Uint8Array): boolean {
  return bytes[0] === RAW_HEADER[0];
}

/** The raw bytes that an object holds. Throws `corrupt` for any other object. */
export function rawContent(bytes: Uint8Array): Uint8Array {
  if (!isRaw(bytes) || bytes[1] !== LINE_FEED) throw malformed("does not hold the content of a file");
  return bytes.subarray(RAW_HEADER.length);
}

/** Takes an object of a state apart. The bytes must have been checked against their id: damage is caught there. */
export function parseObject(bytes: Uint8Array): ParsedObject {
  if (isRaw(bytes)) throw malformed("holds the content of a file, and not a value");
  const { kind, header, body } = split(bytes);
  if (kind === "V" || kind === "C") return { kind, links: parseLinks(header), body };
  if (kind === "A" || kind === "M" || kind === "S")
    return { kind, children: checkChildren(parseList(header)) };
  throw malformed(`has the unknown kind "${kind}"`);
}

/** The value in a body, without what is linked into it. */
export function parseBody({ body }: { readonly body: string }): Json {
  return parseText(body, "has a body that is no JSON");
}

/**
 * The ids of all objects that these bytes refer to; what a sweep and a verification walk along. Throws `corrupt` for
 * bytes that are no object.
 *
 * @example
 * const live = reachableFrom(checkpointIds, (id) => linksOf(objects.get(id)!));
 */
export function linksOf(bytes: Uint8Array): ObjectId[] {
  if (bytes[1] === LINE_FEED) return [];
  return linkedIds(parseHeader(bytes));
}

/** An object without its body, which may be large: what it refers to is in its first line. */
export function parseHeader(bytes: Uint8Array): ParsedObject | RawObject {
  if (isRaw(bytes) && bytes[1] === LINE_FEED) return { kind: "B" };
  return parseObject(bytes.subarray(0, bytes.indexOf(LINE_FEED) + 1));
}

/** The ids of all objects that an object refers to. */
export function linkedIds(object: ParsedObject | RawObject): ObjectId[] {
  if (object.kind === "B") return [];
  return "children" in object ? idsOf(object) : object.links.flatMap(({ target }) => idsOf(target));
}

/** The ids of the objects that stand in a linked place. */
export function idsOf(target: Target): ObjectId[] {
  return typeof target === "string" ? [target] : target.children.map(([, id]) => id);
}

function split(bytes: Uint8Array): { kind: string; header: string; body: string } {
  const end = bytes.indexOf(LINE_FEED);
  if (end < 1) throw malformed("has no header line");
  try {
    return {
      kind: String.fromCharCode(bytes[0] ?? 0),
      header: end === 1 ? "[]" : decoder.decode(bytes.subarray(1, end)),
      body: decoder.decode(bytes.subarray(end + 1)),
    };
  } catch (cause) {
    throw malformed("is not UTF-8", cause);
  }
}

function linkToJson({ path, target }: Link): Json {
  if (typeof target === "string") return [path as Json[], target];
  return [path as Json[], target.kind, target.children as unknown as Json[]];
}

function parseLinks(header: string): Link[] {
  const links = parseList(header).map((item): Link => {
    const [path, first, children] = item;
    if (!isPath(path)) throw malformed("has a link without a path");
    if (isObjectId(first)) return { path, target: first };
    if (first !== "A" && first !== "M" && first !== "S") throw malformed("has a link without a target");
    return { path, target: { kind: first, children: checkChildren(children) } };
  });
  if (links.length > 1) refuseOverlap(links);
  return links;
}

function isPath(path: unknown): path is Path {
  return Array.isArray(path) && path.every((step) => typeof step === "string" || isCount(step));
}

/** Two links in one place, or one inside the other: what the value is would depend on who reads it. */
function refuseOverlap(links: readonly Link[]): void {
  const places = links.map(({ path }) => path.map((step) => `${JSON.stringify(step)},`).join("")).toSorted();
  // Sorted, a place is followed at once by what is inside it, so neighbours are enough to look at.
  const isInside = (place: string, at: number) => at > 0 && place.startsWith(places[at - 1] as string);
  if (places.some(isInside)) throw malformed("has links into the same place");
}

function checkChildren(children: unknown): readonly Child[] {
  const isChild = (child: unknown) =>
    Array.isArray(child) && child.length === 2 && isCount(child[0]) && isObjectId(child[1]);
  if (!Array.isArray(children) || !children.every(isChild)) throw malformed("has a broken list of children");
  return children as readonly Child[];
}

const isCount = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0;

function parseList(header: string): unknown[][] {
  const list: unknown = parseText(header, "has a header that is no JSON");
  if (!Array.isArray(list) || !list.every(Array.isArray)) throw malformed("has a header that is no list");
  return list as unknown[][];
}

function parseText(text: string, otherwise: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch (cause) {
    throw malformed(otherwise, cause);
  }
}

/** The error for an object whose bytes match their name, but which no writer of ours would have made. */
export function malformed(what: string, cause?: unknown): CheckpointError {
  return new CheckpointError("corrupt", `An object ${what}.`, { hint: "checkpoint verify", cause });
}
