import type { LazyValue } from "./decode.ts";
import { commonInOrder } from "./increasing.ts";
import { malformed, parseBody, type Child, type ParsedObject, type Target } from "./object-format.ts";
import type { ObjectId } from "./object-id.ts";
import { checkIndex, checkKeys, checkPart, mapEntries, readParsed, type ReadObjects } from "./read-tree.ts";

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

/** The parts in which two containers may differ, or undefined when these are not two arrays or two objects. */
export async function openBoth(
  from: LazyValue,
  to: LazyValue,
  read: ReadObjects,
): Promise<{ from: LazyParts; to: LazyParts } | undefined> {
  const [a, b] = [await runsOf(from, read), await runsOf(to, read)];
  if (a === undefined || b === undefined || a.kind !== b.kind) return undefined;
  const stretches = await readDifferences(a.kind, { skipped: 0, from: a.runs, to: b.runs }, read);
  return { from: partsOf(a.kind, stretches, "from"), to: partsOf(b.kind, stretches, "to") };
}

type ContainerKind = "A" | "M";

/** A run of a container's entries, or an index over such runs while it is unread. */
interface CountedRun {
  readonly count: number;
  /** Absent for a container that stands inline. */
  readonly id?: ObjectId;
  readonly value?: LazyValue;
}

/** What two containers have between two runs that they share. */
interface Stretch {
  /** How many entries the shared run before it holds. */
  readonly skipped: number;
  readonly from: readonly CountedRun[];
  readonly to: readonly CountedRun[];
}

async function runsOf(
  value: LazyValue,
  read: ReadObjects,
): Promise<{ kind: ContainerKind; runs: CountedRun[] } | undefined> {
  const target = targetOf(value);
  if (target === undefined) {
    if (typeof value.json !== "object" || value.json === null) return undefined;
    return { kind: Array.isArray(value.json) ? "A" : "M", runs: [{ count: 0, value }] };
  }
  const object =
    typeof target === "string" ? ((await readParsed([target], read)).get(target) as ParsedObject) : target;
  if (!("children" in object)) return runsOf({ json: parseBody(object), links: object.links }, read);
  if (object.kind === "S") return undefined;
  return { kind: object.kind, runs: childRuns(object.children) };
}

const childRuns = (children: readonly Child[]): CountedRun[] =>
  children.map(([count, id]) => ({ count, id }));

/** Skips what both sides share, reads the rest one level deeper, until only runs of values are left. */
async function readDifferences(kind: ContainerKind, whole: Stretch, read: ReadObjects): Promise<Stretch[]> {
  for (let stretches = splitAtShared(whole); ;) {
    const wanted = new Set(stretches.flatMap(nextToRead));
    if (wanted.size === 0) return stretches;
    const objects = await readParsed([...wanted], read);
    const open = (closed: readonly CountedRun[]) => closed.flatMap((run) => opened(kind, run, objects));
    // Each stretch for itself: a run that both sides share stays shared, so nothing is paired across it.
    stretches = stretches.flatMap(({ skipped, from, to }) =>
      splitAtShared({ skipped, from: open(from), to: open(to) }),
    );
  }
}

/** What is read next. What holds far more than anything on the other side comes first: it may be an index over all that. */
function nextToRead({ from, to }: Stretch): ObjectId[] {
  const [left, right] = [from.filter(isUnread), to.filter(isUnread)];
  const [mostLeft, mostRight] = [left, right].map((runs) => Math.max(0, ...runs.map(({ count }) => count)));
  const isFarMore = ({ count }: CountedRun, others = 0) => others > 0 && count > 2 * others;
  const first = [
    ...left.filter((run) => isFarMore(run, mostRight)),
    ...right.filter((run) => isFarMore(run, mostLeft)),
  ];
  return (first.length > 0 ? first : [...left, ...right]).map(({ id }) => id as ObjectId);
}

const isUnread = ({ id, value }: CountedRun) => id !== undefined && value === undefined;

function splitAtShared({ skipped, from, to }: Stretch): Stretch[] {
  const stretches: Stretch[] = [];
  let [left, right, before] = [0, 0, skipped];
  for (const pair of commonInOrder(from.map(keyOn("from")), to.map(keyOn("to")))) {
    stretches.push({ skipped: before, from: from.slice(left, pair.from), to: to.slice(right, pair.to) });
    before = (from[pair.from] as CountedRun).count;
    if ((to[pair.to] as CountedRun).count !== before)
      throw malformed("has a child that is counted in two ways");
    [left, right] = [pair.from + 1, pair.to + 1];
  }
  stretches.push({ skipped: before, from: from.slice(left), to: to.slice(right) });
  return stretches;
}

/** What has no id gets a key that occurs nowhere on the other side. */
const keyOn = (side: string) => (run: CountedRun, at: number) => run.id ?? `${side} ${at}`;

/** A run of values keeps its id: the other side may still come upon it, further down in its index. */
function opened(
  kind: ContainerKind,
  run: CountedRun,
  objects: ReadonlyMap<ObjectId, ParsedObject>,
): CountedRun[] {
  if (run.id === undefined || run.value) return [run];
  const object = objects.get(run.id);
  if (object === undefined) return [run];
  if ("children" in object) {
    checkIndex(kind, run.count, object);
    return childRuns(object.children);
  }
  const json = parseBody(object);
  checkPart(kind, run.count, json);
  return [{ ...run, value: { json, links: object.links } }];
}

function partsOf(kind: ContainerKind, stretches: readonly Stretch[], side: "from" | "to"): LazyParts {
  const parts: LazyPart[] = [];
  const isArray = kind === "A";
  let position = 0;
  for (const [stretch, { skipped, [side]: runs }] of stretches.entries()) {
    position += skipped;
    for (const { value } of runs) {
      const { json, links } = value as LazyValue;
      mapEntries(json, links, (child, inside, key) => {
        const own = { json: child, links: inside };
        parts.push({ key: isArray ? position++ : key, value: own, stretch });
      });
    }
  }
  if (!isArray) checkKeys(parts.map(({ key }) => key));
  return { isArray, parts };
}
