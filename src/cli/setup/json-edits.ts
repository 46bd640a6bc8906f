import { type JsonBranch, type JsonList, nodeAt, readJsonTree } from "./json-tree.ts";

/** Puts a value at a path where there is none yet. Everything else stays as it is written, comments included. */
export function addAt(text: string, path: readonly string[], value: unknown): string {
  const root = readJsonTree(text);
  let there = path.length - 1;
  while (there > 0 && nodeAt(root, path.slice(0, there)) === undefined) there--;
  const parent = nodeAt(root, path.slice(0, there)) as JsonBranch;
  const [key = "", ...below] = path.slice(there);
  const nested = below.reduceRight((inner: unknown, name) => ({ [name]: inner }), value);
  const unit = indentOf(text);
  const written = `${JSON.stringify(key)}: ${asText(nested, unit, there + 1)}`;
  return insert(text, parent, { written, ends: parent.members.map(({ node }) => node.end), depth: there });
}

/** Adds an item to the end of the list at a path. */
export function appendAt(text: string, path: readonly string[], value: unknown): string {
  const list = nodeAt(readJsonTree(text), path) as JsonList;
  const written = asText(value, indentOf(text), path.length + 1);
  return insert(text, list, { written, ends: list.items.map(({ end }) => end), depth: path.length });
}

/** Removes a member of an object, with the comma that belongs to it. */
export function removeAt(text: string, path: readonly string[]): string {
  const parent = nodeAt(readJsonTree(text), path.slice(0, -1)) as JsonBranch;
  const index = parent.members.findIndex(({ key }) => key === path.at(-1));
  return remove(
    text,
    parent,
    parent.members.map(({ start, node }) => ({ start, end: node.end })),
    index,
  );
}

/** Removes an item of the list at a path. */
export function removeItem(text: string, path: readonly string[], index: number): string {
  const list = nodeAt(readJsonTree(text), path) as JsonList;
  return remove(text, list, list.items, index);
}

/** Puts another item in the place of one of a list. */
export function replaceItem(text: string, path: readonly string[], index: number, value: unknown): string {
  const { start, end } = (nodeAt(readJsonTree(text), path) as JsonList).items[index] as Span;
  return text.slice(0, start) + asText(value, indentOf(text), path.length + 1) + text.slice(end);
}

interface Span {
  readonly start: number;
  readonly end: number;
}

const COMMENT = /^[ \t]*\/[/*][^\r\n]*(?=\r?\n)/;

/** Where a comma behind a value ends, whatever remarks stand between them; undefined when there is none. */
function commaBehind(text: string, end: number): number | undefined {
  const comma = /(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*,/y;
  comma.lastIndex = end;
  return comma.test(text) ? comma.lastIndex : undefined;
}

function insert(
  text: string,
  { start, end }: Span,
  { written, ends, depth }: { written: string; ends: readonly number[]; depth: number },
): string {
  const unit = indentOf(text);
  const newline = text.includes("\r\n") ? "\r\n" : "\n";
  const indented = newline + unit.repeat(depth + 1) + written.replaceAll("\n", newline);
  const closing = newline + unit.repeat(depth);
  const last = ends.at(-1);
  if (last === undefined) {
    const inner = text.slice(start + 1, end - 1);
    return (
      text.slice(0, start + 1) + indented + (inner.trim() === "" ? closing : inner) + text.slice(end - 1)
    );
  }
  const comma = commaBehind(text, last);
  if (comma !== undefined) {
    const [before, after] = [text.slice(0, comma), text.slice(comma)];
    const [remark = ""] = COMMENT.exec(after) ?? [];
    const isOneLine = !text.slice(start, end).includes("\n");
    const rest = after.slice(remark.length);
    return before + remark + indented + (isOneLine ? closing + rest.trimStart() : rest);
  }
  // A comment behind the last value stays behind it.
  const [comment = ""] = COMMENT.exec(text.slice(last, end)) ?? [];
  const isOneLine = !text.slice(start, end).includes("\n");
  const rest = text.slice(last + comment.length);
  return `${text.slice(0, last)},${comment}${indented}${isOneLine ? closing : ""}${isOneLine ? rest.trimStart() : rest}`;
}

function remove(text: string, outer: Span, spans: readonly Span[], index: number): string {
  const { start, end } = spans[index] as Span;
  const [before, after] = [spans[index - 1], spans[index + 1]];
  if (after !== undefined) {
    const comment = text.slice(end, after.start).replace(",", "").trimStart();
    return text.slice(0, start) + comment + text.slice(after.start);
  }
  if (before !== undefined) {
    const comment = text.slice(before.end, start).replace(",", "").trimEnd();
    // Nothing may slip into a comment that goes on to the end of its line.
    const rest = text.slice(end);
    const gap = comment.includes("//") && !/^[ \t]*\r?\n/.test(rest) ? "\n" : "";
    return text.slice(0, before.end) + comment + gap + rest;
  }
  const comma = commaBehind(text, end);
  const remarks = comma === undefined ? "" : text.slice(end, comma - 1);
  const inner = text.slice(outer.start + 1, start) + remarks + text.slice(comma ?? end, outer.end - 1);
  return text.slice(0, outer.start + 1) + (inner.trim() === "" ? "" : inner) + text.slice(outer.end - 1);
}

/** How the file is indented: as its first setting is. */
function indentOf(text: string): string {
  const root = readJsonTree(text);
  const first = root.kind === "object" ? root.members[0]?.start : undefined;
  return /\n([ \t]+)$/.exec(text.slice(0, first ?? 0))?.[1] ?? "  ";
}

function asText(value: unknown, unit: string, depth: number): string {
  return JSON.stringify(value, undefined, unit).replaceAll("\n", `\n${unit.repeat(depth)}`);
}
