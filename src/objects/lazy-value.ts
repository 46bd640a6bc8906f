import { decodeTarget, place } from "./decode.ts";
import { commonInOrder } from "./increasing.ts";
import type { Json, JsonObject } from "./json.ts";
import { parseObject, type Child, type Link, type ParsedObject, type Target } from "./object-format.ts";
import type { ObjectId } from "./object-id.ts";
import { readChecked, type ReadObjects } from "./read-tree.ts";

/** A value that has been read only as far as somebody looked: JSON, with links to what is still unread. */
export interface LazyValue {
  readonly json: Json;
  readonly links: readonly Link[];
}

/** A part of an array or object. */
export interface LazyPart {
  readonly key: string | number;
  readonly value: LazyValue;
  /** How many runs that both sides share come before it: parts with different numbers are not neighbours. */
  readonly stretch: number;
}

/** The parts in which an array or object may differ from another. */
export interface LazyParts {
  readonly isArray: boolean;
  readonly parts: readonly LazyPart[];
}

export const lazy = (target: Target): LazyValue => ({ json: 0, links: [{ path: [], target }] });

/** What a value stands for when all of it is elsewhere. */
function targetOf({ links }: LazyValue): Target | undefined {
  return links[0]?.path.length === 0 ? links[0].target : undefined;
}

/** Equal keys mean equal values: the text and the names of everything that it links to. */
export function keyOfLazy({ json, links }: LazyValue): string {
  return links.length === 0 ? JSON.stringify(json) : JSON.stringify([json, links]);
}

/** The whole value, with everything read. */
export async function readWhole({ json, links }: LazyValue, read: ReadObjects): Promise<Json> {
  let whole = structuredClone(json);
  for (const { path, target } of links) whole = place(whole, path, await decodeTarget(target, read));
  return whole;
}

/** The parts in which two containers may differ, or undefined when these are not two arrays or two objects. */
export async function openBoth(
  from: LazyValue,
  to: LazyValue,
  read: ReadObjects,
): Promise<{ from: LazyParts; to: LazyParts } | undefined> {
  const sides = [await runsOf(from, read), await runsOf(to, read)] as const;
  const [a, b] = sides;
  if (a === undefined || b === undefined || a.isArray !== b.isArray) return undefined;
  const [left, right] = await expandUntilRuns(a.runs, b.runs, read);
  return { from: partsOf(a.isArray, left), to: partsOf(b.isArray, right) };
}

/** A stretch of a container: one object that is not read yet, or its content. */
type Run =
  | { readonly count: number; readonly id: ObjectId }
  | { readonly value: LazyValue }
  | { readonly skipped: number };

async function runsOf(
  value: LazyValue,
  read: ReadObjects,
): Promise<{ isArray: boolean; runs: Run[] } | undefined> {
  const target = targetOf(value);
  if (target === undefined) {
    if (typeof value.json !== "object" || value.json === null) return undefined;
    return { isArray: Array.isArray(value.json), runs: [{ value }] };
  }
  const object = typeof target === "string" ? await readOne(target, read) : target;
  if (!("children" in object))
    return runsOf({ json: JSON.parse(object.body) as Json, links: object.links }, read);
  if (object.kind === "S") return undefined;
  return { isArray: object.kind === "A", runs: childRuns(object.children) };
}

const childRuns = (children: readonly Child[]): Run[] => children.map(([count, id]) => ({ count, id }));

/** Skips what both sides share, reads the rest one level deeper, until only runs of values are left. */
async function expandUntilRuns(from: Run[], to: Run[], read: ReadObjects): Promise<[Run[], Run[]]> {
  for (let [left, right] = [from, to]; ;) {
    const shared = commonInOrder(left.map(keyOn("from")), right.map(keyOn("to")));
    const skip = (runs: Run[], places: Set<number>) =>
      runs.map((run, at) => (places.has(at) && "id" in run ? { skipped: run.count } : run));
    left = skip(left, new Set(shared.map((pair) => pair.from)));
    right = skip(right, new Set(shared.map((pair) => pair.to)));
    if (![...left, ...right].some((run) => "id" in run)) return [left, right];
    left = (await Promise.all(left.map((run) => expand(run, read)))).flat();
    right = (await Promise.all(right.map((run) => expand(run, read)))).flat();
  }
}

/** What has no id gets a key that occurs nowhere on the other side. */
const keyOn = (side: string) => (run: Run, at: number) => ("id" in run ? run.id : `${side} ${at}`);

async function expand(run: Run, read: ReadObjects): Promise<Run[]> {
  if (!("id" in run)) return [run];
  const object = await readOne(run.id, read);
  if ("children" in object) return childRuns(object.children);
  return [{ value: { json: JSON.parse(object.body) as Json, links: object.links } }];
}

async function readOne(id: ObjectId, read: ReadObjects): Promise<ParsedObject> {
  return parseObject((await readChecked([id], read)).get(id) as Uint8Array);
}

function partsOf(isArray: boolean, runs: readonly Run[]): LazyParts {
  const parts: LazyPart[] = [];
  let position = 0;
  let stretch = 0;
  for (const run of runs) {
    if ("skipped" in run) {
      position += run.skipped;
      stretch++;
    }
    if (!("value" in run)) continue;
    const container = run.value.json as Json[] | JsonObject;
    const inside = Map.groupBy(run.value.links, (link) => String(link.path[0]));
    for (const key of Object.keys(container)) {
      const links = (inside.get(key) ?? []).map(({ path, target }) => ({ path: path.slice(1), target }));
      const value = { json: (container as JsonObject)[key] as Json, links };
      parts.push({ key: isArray ? position++ : key, value, stretch });
    }
  }
  return { isArray, parts };
}
