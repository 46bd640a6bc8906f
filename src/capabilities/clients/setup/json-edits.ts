import { applyEdits, createScanner, type Edit } from "jsonc-parser";
import { type JsonNode, type JsonPath, nodeAt, readJson } from "./json-document.ts";

// The edits of jsonc-parser itself reformat the lines they touch, drop comments, and make [12] of [1, 2] when the last
// item goes. So only its tree is used: these edits leave every byte alone that they were not asked to change.

/** Puts a value at a path where there is none yet. */
export function addAt(text: string, path: readonly string[], value: unknown): string {
  const root = readJson(text);
  let depth = path.length - 1;
  while (depth > 0 && nodeAt(root, path.slice(0, depth)) === undefined) depth--;
  const parent = nodeAt(root, path.slice(0, depth)) as JsonNode;
  const [key = "", ...below] = path.slice(depth);
  const nested = below.reduceRight((inner: unknown, name) => ({ [name]: inner }), value);
  const written = `${JSON.stringify(key)}: ${asText(text, nested, depth + 1)}`;
  return insert(text, parent, { written, depth });
}

export function appendAt(text: string, path: JsonPath, value: unknown): string {
  const list = nodeAt(readJson(text), path) as JsonNode;
  return insert(text, list, { written: asText(text, value, path.length + 1), depth: path.length });
}

export function replaceAt(text: string, path: JsonPath, value: unknown): string {
  const { offset, length } = nodeAt(readJson(text), path) as JsonNode;
  return applyEdits(text, [{ offset, length, content: asText(text, value, path.length) }]);
}

/** Removes the member or item at a path, with the comma that belongs to it. What `addAt` added is gone without a trace. */
export function removeAt(text: string, path: JsonPath): string {
  const value = nodeAt(readJson(text), path) as JsonNode;
  const node = typeof path.at(-1) === "string" ? (value.parent as JsonNode) : value;
  const siblings = node.parent?.children ?? [];
  const previous = siblings[siblings.indexOf(node) - 1];
  const own = commaBehind(text, endOf(node));
  const comma = own ?? (previous && commaBehind(text, endOf(previous)));
  const start = startWithBlank(text, { node, from: previous && endOf(previous), to: own ?? endOf(node) });
  const edited = applyEdits(text, [
    { offset: start, length: endOf(node) - start, content: "" },
    ...(comma === undefined ? [] : [{ offset: comma - 1, length: 1, content: "" }]),
  ]);
  return siblings.length > 1 ? edited : collapse(edited, path.slice(0, -1));
}

/**
 * Where a node starts, including the white space before it: unless that ends the line of a comment, which would then
 * swallow what follows.
 */
function startWithBlank(
  text: string,
  { node, from = node.offset, to }: { node: JsonNode; from: number | undefined; to: number },
): number {
  const isAfterComment = text.slice(from, node.offset).includes("//");
  if (isAfterComment && !/^[ \t]*\r?\n/.test(text.slice(to))) return node.offset;
  return text.slice(0, node.offset).trimEnd().length;
}

/** An object or list with nothing in it, not even a comment, is written as such. */
function collapse(text: string, path: JsonPath): string {
  const { offset, length } = nodeAt(readJson(text), path) as JsonNode;
  const inner: Edit = { offset: offset + 1, length: length - 2, content: "" };
  return text.slice(inner.offset, inner.offset + inner.length).trim() === ""
    ? applyEdits(text, [inner])
    : text;
}

/** A comment behind a value, on the same line: it stays there, because it is about that value. */
const REMARK = /^[ \t]*(?:\/\*[^*\r\n]*\*\/[ \t]*)?(?:\/\/[^\r\n]*)?(?=\r?\n)/;

function insert(
  text: string,
  container: JsonNode,
  { written, depth }: { written: string; depth: number },
): string {
  const newline = newlineOf(text);
  const [start, end] = [container.offset + 1, endOf(container) - 1];
  const inner = text.slice(start, end);
  const isOneLine = !inner.includes("\n");
  const unit = indentOf(text);
  const indented = newline + unit.repeat(depth + 1) + written;
  const last = container.children?.at(-1);
  if (last === undefined) {
    const isEmpty = inner.trim() === "";
    const content = isEmpty ? indented + newline + unit.repeat(depth) : indented;
    return applyEdits(text, [{ offset: start, length: isEmpty ? inner.length : 0, content }]);
  }
  const comma = commaBehind(text, endOf(last));
  const behind = comma ?? endOf(last);
  const [remark = ""] = REMARK.exec(text.slice(behind, end)) ?? [];
  const spaced = isOneLine && !written.includes("\n") ? ` ${written}` : indented;
  return applyEdits(text, [
    { offset: endOf(last), length: 0, content: comma === undefined ? "," : "" },
    { offset: behind + remark.length, length: 0, content: comma === undefined ? spaced : `${spaced},` },
  ]);
}

/** Where the comma behind a value ends, whatever comments stand between them; undefined when there is none. */
function commaBehind(text: string, end: number): number | undefined {
  const scanner = createScanner(text, true);
  scanner.setPosition(end);
  scanner.scan();
  const offset = scanner.getTokenOffset();
  return text[offset] === "," ? offset + 1 : undefined;
}

function endOf({ offset, length }: JsonNode): number {
  return offset + length;
}

/** The file is indented as its first setting is. */
function indentOf(text: string): string {
  const first = readJson(text).children?.[0];
  return /\n([ \t]+)$/.exec(text.slice(0, first?.offset ?? 0))?.[1] ?? "  ";
}

function asText(text: string, value: unknown, depth: number): string {
  const unit = indentOf(text);
  return JSON.stringify(value, undefined, unit).replaceAll("\n", newlineOf(text) + unit.repeat(depth));
}

function newlineOf(text: string): string {
  return text.includes("\r\n") ? "\r\n" : "\n";
}
