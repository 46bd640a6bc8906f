// A second writer, as far as roots go, written from the section "Cutting" of docs/reference/format.md alone. It shares no code
// with the library, remembers nothing and is slow.
import { createHash } from "node:crypto";

type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
type Child = [count: number, id: string];
type Target = string | { kind: string; children: Child[] };
type Link = { path: (string | number)[]; target: Target };

/** A value inside its container: its text, and the links in it. */
interface Part {
  readonly text: string;
  readonly links: readonly Link[];
}

interface Item {
  readonly weight: number;
  readonly boundary: number;
}

const INLINE_CHARS = 2048;
const INLINE_CHILDREN = 32;
const RUN = [6144, 16384, 65536] as const;
const INDEX = [300, 1200, 3600] as const;
const PIECE = [4096, 12288, 49152] as const;

/** The root of a state. */
export function rootOf(state: { [key: string]: Json }): string {
  const { text, links } = part(state);
  const [only] = links;
  if (only === undefined || only.path.length > 0) return value(text, links);
  return typeof only.target === "string" ? only.target : index(only.target.kind, only.target.children);
}

function part(json: Json): Part {
  if (typeof json === "string") {
    const text = JSON.stringify(json);
    return text.length <= INLINE_CHARS ? { text, links: [] } : linked(longString(json, text));
  }
  if (typeof json !== "object" || json === null) return { text: JSON.stringify(json), links: [] };
  const keys = Array.isArray(json) ? undefined : Object.keys(json);
  const values = Object.values(json);
  const parts = values.map(part);
  const sizes = parts.map((entry, at) => size(entry) + 1 + (keys ? (keys[at] as string).length + 3 : 0));
  if (2 + sum(sizes) <= INLINE_CHARS) return join(keys, parts);

  const items = parts.map((entry, at): Item => {
    const key = keys?.[at];
    if (key !== undefined) return { weight: size(entry) + key.length, boundary: boundaryHash(key) };
    return { weight: size(entry), boundary: boundaryHash(nameOf(values[at] as Json, entry)) };
  });
  const children = cut(items, RUN).map(([start, end]): Child => {
    const run = join(keys?.slice(start, end), parts.slice(start, end));
    return [end - start, value(run.text, run.links)];
  });
  return linked(target(keys ? "M" : "A", children));
}

const linked = (to: Target): Part => ({ text: "0", links: [{ path: [], target: to }] });
const size = ({ text, links }: Part) => text.length + 80 * links.length;
const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

function join(keys: readonly string[] | undefined, parts: readonly Part[]): Part {
  const texts = parts.map(({ text }, at) => (keys ? `${JSON.stringify(keys[at])}:${text}` : text));
  const links = parts.flatMap((entry, at) =>
    entry.links.map(({ path, target }) => ({ path: [keys?.[at] ?? at, ...path], target })),
  );
  return { text: keys ? `{${texts.join(",")}}` : `[${texts.join(",")}]`, links };
}

/** What an element of an array is cut by. */
function nameOf(json: Json, { text, links }: Part): string {
  const id =
    typeof json === "object" && json !== null && !Array.isArray(json) && Object.hasOwn(json, "id")
      ? json.id
      : null;
  if (typeof id === "string" || typeof id === "number") return String(id);
  return links[0] ? text + JSON.stringify(links[0].target) : text;
}

function longString(json: string, text: string): Target {
  if (text.length <= PIECE[2]) return value(text, []);
  const lines: string[] = [];
  for (let start = 0; start < json.length; start += (lines.at(-1) as string).length) {
    const feed = json.indexOf("\n", start);
    lines.push(json.slice(start, Math.min(feed < 0 ? json.length : feed + 1, start + PIECE[0])));
  }
  const items = lines.map((line): Item => ({ weight: line.length, boundary: boundaryHash(line) }));
  const pieces = cut(items, PIECE).map(([start, end]) => lines.slice(start, end).join(""));
  return target(
    "S",
    pieces.map((piece): Child => [piece.length, value(JSON.stringify(piece), [])]),
  );
}

function target(kind: string, children: readonly Child[], leftOver: readonly Child[] = []): Target {
  if (children.length <= INLINE_CHILDREN) {
    const all = [...children, ...leftOver];
    return all.length === 1 ? (all[0] as Child)[1] : { kind, children: all };
  }
  const items = children.slice(0, -1).map(([, id]): Item => ({
    weight: 75,
    boundary: Number.parseInt(id.slice(0, 8), 16),
  }));
  const groups = cut(items, INDEX).filter(([, , reached]) => reached);
  const objects = groups.map(([start, end]): Child => {
    const group = children.slice(start, end);
    return [sum(group.map(([count]) => count)), index(kind, group)];
  });
  return target(kind, objects, [...children.slice(groups.at(-1)?.[1] ?? 0), ...leftOver]);
}

function cut(
  items: readonly Item[],
  [least, aim, most]: readonly [number, number, number],
): [start: number, end: number, reachedSize: boolean][] {
  const runs: [number, number, boolean][] = [];
  let start = 0;
  let length = 0;
  for (const [at, { weight, boundary }] of items.entries()) {
    length += weight;
    const reached = (length >= least && boundary * aim < weight * 2 ** 32) || length >= most;
    if (!reached && at < items.length - 1) continue;
    runs.push([start, at + 1, reached]);
    start = at + 1;
    length = 0;
  }
  return runs;
}

export function boundaryHash(text: string): number {
  const units = Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));
  const used = units.length > 96 ? [...units.slice(0, 48), ...units.slice(-48)] : units;
  let hash = used.reduce((state, unit) => Math.imul(state ^ unit, 0x01000193), 0x811c9dc5);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

function value(body: string, links: readonly Link[]): string {
  const list = links.map(({ path, target: to }) =>
    typeof to === "string" ? [path, to] : [path, to.kind, to.children],
  );
  return sha256(`V${list.length === 0 ? "" : JSON.stringify(list)}\n${body}`);
}

const index = (kind: string, children: readonly Child[]) => sha256(`${kind}${JSON.stringify(children)}\n`);
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
