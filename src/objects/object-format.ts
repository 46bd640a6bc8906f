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

/** An object ready to be stored. */
export interface NewObject {
  readonly id: ObjectId;
  readonly bytes: Uint8Array;
  /** The objects that the bytes refer to. */
  readonly links: readonly ObjectId[];
  /** An object with similar bytes: a store may keep only the difference. Absent: store it whole. */
  readonly predecessor?: ObjectId | undefined;
}

/** Where new objects go. */
export interface ObjectWriter {
  /** Takes it in and returns its id. */
  write(object: NewObject): ObjectId;
}

const LINE_FEED = 10;
const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

export function newValue(
  kind: "V" | "C",
  body: string,
  links: readonly Link[],
  predecessor?: ObjectId,
): NewObject {
  const bytes = writeValue(kind, body, links);
  return { id: objectIdOf(bytes), bytes, links: links.flatMap(({ target }) => idsOf(target)), predecessor };
}

export function newIndex(kind: IndexKind, children: readonly Child[], predecessor?: ObjectId): NewObject {
  const bytes = encoder.encode(`${kind}${JSON.stringify(children)}\n`);
  return { id: objectIdOf(bytes), bytes, links: children.map(([, id]) => id), predecessor };
}

function writeValue(kind: "V" | "C", body: string, links: readonly Link[]): Uint8Array {
  if (links.length === 0) return encoder.encode(`${kind}\n${body}`);
  return encoder.encode(`${kind}${JSON.stringify(links.map(linkToJson))}\n${body}`);
}

/** Takes an object apart. The bytes must have been checked against their id: damage is caught there. */
export function parseObject(bytes: Uint8Array): ParsedObject {
  const { kind, header, body } = split(bytes);
  if (kind === "V" || kind === "C") return { kind, links: parseLinks(header), body };
  if (kind === "A" || kind === "M" || kind === "S") return { kind, children: parseChildren(header) };
  throw malformed(`has the unknown kind "${kind}"`);
}

/** The ids of all objects that these bytes refer to; what a sweep and a verification walk along. */
export function linksOf(bytes: Uint8Array): ObjectId[] {
  if (bytes[1] === LINE_FEED) return [];
  const parsed = parseObject(bytes.subarray(0, bytes.indexOf(LINE_FEED) + 1));
  if ("children" in parsed) return parsed.children.map(([, id]) => id);
  return parsed.links.flatMap(({ target }) => idsOf(target));
}

function idsOf(target: Target): ObjectId[] {
  return typeof target === "string" ? [target] : target.children.map(([, id]) => id);
}

function split(bytes: Uint8Array): { kind: string; header: string; body: string } {
  const end = bytes.indexOf(LINE_FEED);
  if (end < 1) throw malformed("has no header line");
  return {
    kind: String.fromCharCode(bytes[0] ?? 0),
    header: end === 1 ? "[]" : decoder.decode(bytes.subarray(1, end)),
    body: decoder.decode(bytes.subarray(end + 1)),
  };
}

function linkToJson({ path, target }: Link): Json {
  if (typeof target === "string") return [path as Json[], target];
  return [path as Json[], target.kind, target.children as unknown as Json[]];
}

function parseLinks(header: string): Link[] {
  return parseList(header).map((item) => {
    const [path, first, children] = item;
    if (!Array.isArray(path)) throw malformed("has a link without a path");
    if (isObjectId(first)) return { path: path as Path, target: first };
    if (first !== "A" && first !== "M" && first !== "S") throw malformed("has a link without a target");
    return { path: path as Path, target: { kind: first, children: checkChildren(children) } };
  });
}

function parseChildren(header: string): readonly Child[] {
  return checkChildren(parseList(header));
}

function checkChildren(children: unknown): readonly Child[] {
  const isChild = (child: unknown) =>
    Array.isArray(child) && child.length === 2 && typeof child[0] === "number" && isObjectId(child[1]);
  if (!Array.isArray(children) || !children.every(isChild)) throw malformed("has a broken list of children");
  return children as readonly Child[];
}

function parseList(header: string): unknown[][] {
  const list: unknown = JSON.parse(header);
  if (!Array.isArray(list) || !list.every(Array.isArray)) throw malformed("has a header that is no list");
  return list as unknown[][];
}

function malformed(what: string): CheckpointError {
  return new CheckpointError("corrupt", `An object ${what}.`, { hint: "checkpoint verify" });
}
