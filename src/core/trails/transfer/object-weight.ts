import type { Json } from "../../objects/json.ts";
import { MAX_DEPTH, MAX_STATE_CHARS } from "../../objects/limits.ts";
import {
  linkedIds,
  parseObject,
  type Child,
  type IndexKind,
  type Link,
  type ParsedObject,
} from "../../objects/object-format.ts";
import type { ObjectId } from "../../objects/object-id.ts";
import { checkPlaces } from "../../objects/read-tree.ts";

/** What an object becomes when it is read with everything that it refers to. */
export interface Weight {
  readonly kind: "list" | "map" | "text" | "other" | "checkpoint";
  /** How many elements, entries or characters it has. */
  readonly count: number;
  /** Its keys, when it is a map. */
  readonly keys?: readonly string[];
  readonly chars: number;
  /** How deep its lists and maps nest. */
  readonly depth: number;
  /** How many objects deep a reader goes. */
  readonly levels: number;
}

/** Index objects nest too, so reading may go deeper than the state does. More than this no writer produces. */
const MAX_LEVELS = 4 * MAX_DEPTH;
const MAX_READING_CHARS = 2 * MAX_STATE_CHARS;

type WeightOf = (id: ObjectId) => Weight | undefined;

/**
 * How heavy an object from elsewhere is, or why it is refused (some of that is thrown). Its hash proves what was written, not that it is sound:
 * objects are shared, so a few hundred could stand for a state that no memory holds, or be linked in ways that our
 * writer never links them.
 */
export function weigh(bytes: Uint8Array, weightOf: WeightOf): Weight | string {
  const object = parseObject(bytes);
  const missing = linkedIds(object).find((id) => weightOf(id) === undefined);
  if (missing !== undefined) return `it refers to object ${missing}, which is not there`;
  const weight =
    "children" in object ? weighIndex(object.kind, object.children, weightOf) : weighValue(object, weightOf);
  if (typeof weight === "string") return weight;
  if (weight.depth > MAX_DEPTH) return `it nests deeper than ${MAX_DEPTH} levels`;
  if (weight.levels > MAX_LEVELS) return `it is read through more than ${MAX_LEVELS} levels`;
  if (weight.chars > MAX_READING_CHARS) return `it stands for more than ${MAX_READING_CHARS} characters`;
  return weight;
}

const KINDS = { A: "list", M: "map", S: "text" } as const satisfies Record<IndexKind, Weight["kind"]>;

/** An index is what its children are together, so each must be of its kind, and as long as it says. */
function weighIndex(index: IndexKind, children: readonly Child[], weightOf: WeightOf): Weight | string {
  const kind = KINDS[index];
  const weights = children.map(([, id]) => weightOf(id) as Weight);
  if (weights.some((child) => child.kind !== kind)) return `it joins something else than a ${kind}`;
  if (weights.some((child, at) => child.count !== children[at]?.[0])) return "it miscounts its parts";
  const count = sumOf(weights, (child) => child.count);
  const merged = {
    kind,
    count,
    chars: sumOf(weights, ({ chars }) => chars),
    depth: greatest(weights, ({ depth }) => depth),
    levels: 1 + greatest(weights, ({ levels }) => levels),
  };
  // Checked before anything of that size is made: shared objects could stand for more keys than memory holds.
  if (kind !== "map" || merged.chars > MAX_READING_CHARS) return merged;
  const keys = weights.flatMap((child) => child.keys as readonly string[]);
  return new Set(keys).size === count ? { ...merged, keys } : "it has a key twice";
}

function weighValue(
  { kind, links, body }: Extract<ParsedObject, { body: string }>,
  weightOf: WeightOf,
): Weight | string {
  const value = JSON.parse(body) as Json;
  const ownDepth = depthOf(value);
  // Measured first: what is too deep for recursion must not be written again below.
  if (ownDepth > MAX_DEPTH) return `it nests deeper than ${MAX_DEPTH} levels`;
  if (JSON.stringify(value) !== body) return "it is not written as this program writes";
  let [chars, depth, levels] = [body.length, ownDepth, 0];
  checkPlaces(value, links);
  for (const link of links) {
    if (link.path.length === 0) return "it has a link to a wrong place";
    const target = weightOfTarget(link, weightOf);
    if (typeof target === "string") return target;
    if (target.kind === "checkpoint") return "it has a checkpoint inside";
    chars += target.chars;
    depth = Math.max(depth, link.path.length + target.depth);
    levels = Math.max(levels, 1 + target.levels);
  }
  const weight = { chars, depth, levels };
  if (kind === "C") return whyNoCheckpoint(links, weightOf) ?? { kind: "checkpoint", count: 0, ...weight };
  return { ...shapeOf(value), ...weight };
}

function weightOfTarget({ target }: Link, weightOf: WeightOf): Weight | string {
  if (typeof target === "string") return weightOf(target) as Weight;
  return weighIndex(target.kind, target.children, weightOf);
}

function whyNoCheckpoint(links: readonly Link[], weightOf: WeightOf): string | undefined {
  const [state, ...others] = links;
  const isWhole = state?.path.length === 1 && state.path[0] === "state" && typeof state.target === "string";
  if (!isWhole || others.length > 0) return "it has something else linked than its state";
  return weightOf(state.target)?.kind === "map" ? undefined : "its state is not an object";
}

function shapeOf(value: Json): Pick<Weight, "kind" | "count" | "keys"> {
  if (Array.isArray(value)) return { kind: "list", count: value.length };
  if (typeof value === "string") return { kind: "text", count: value.length };
  if (typeof value !== "object" || value === null) return { kind: "other", count: 0 };
  const keys = Object.keys(value);
  return { kind: "map", count: keys.length, keys };
}

function sumOf<T>(items: readonly T[], of: (item: T) => number): number {
  return items.reduce((sum, item) => sum + of(item), 0);
}

function greatest<T>(items: readonly T[], of: (item: T) => number): number {
  return items.reduce((most, item) => Math.max(most, of(item)), 0);
}

/** How deep lists and maps nest in a value. Level by level, because it may be too deep for recursion. */
function depthOf(value: Json): number {
  let depth = 0;
  for (let level = [value].filter(isContainer); level.length > 0; depth++)
    level = level.flatMap((container) => Object.values(container)).filter(isContainer);
  return depth;
}

const isContainer = (value: Json) => typeof value === "object" && value !== null;
