import type { Change } from "../../core/objects/diff.ts";
import { textOf } from "../../core/text/untrusted.ts";
import { formatPath, type Json, type JsonObject, type Path, setOwn } from "../../core/objects/json.ts";
import { type StateField, fieldOf, FIELDS } from "./fields.ts";

/** From what to what. Null where there was nothing. */
export interface FromTo {
  readonly from: Json;
  readonly to: Json;
}

/** What happened to the items of a list that have a name of their own. */
export interface ItemChanges {
  readonly added: JsonObject[];
  readonly removed: JsonObject[];
  /** By item: its identity, and each field that changed. */
  readonly changed: {
    readonly id: string;
    readonly title: string;
    readonly fields: Record<string, FromTo>;
  }[];
}

/** What changed between two work states, in the terms of the work. */
export interface WorkDiff {
  readonly phase: FromTo | null;
  readonly tasks: ItemChanges;
  readonly dependencies: ItemChanges;
  readonly variables: {
    readonly added: JsonObject;
    readonly removed: JsonObject;
    readonly changed: { [key: string]: FromTo };
  };
  /** Everything else, place by place. */
  readonly other: readonly (FromTo & { readonly kind: Change["kind"]; readonly path: string })[];
}

/** Reads a place of the newer state, or of the older one. */
export interface StateLookup {
  readonly before: (path: Path) => Promise<Json | undefined>;
  readonly after: (path: Path) => Promise<Json | undefined>;
}

/** Sorts the plain changes of a state by what they mean. */
export async function describeChanges(changes: readonly Change[], lookup: StateLookup): Promise<WorkDiff> {
  const meant = changes.filter(
    ({ path }) => !fieldOf(String(path[0]))?.items?.ignored?.includes(String(path[2])),
  );
  const below = (field: string) => meant.filter(({ path }) => path[0] === field);
  const named = ["phase", "tasks", "dependencies", "variables"];
  return {
    phase: below("phase").length === 0 ? null : await bothPhases(lookup),
    tasks: await items(below("tasks"), lookup, FIELDS.tasks.items),
    dependencies: await items(below("dependencies"), lookup, FIELDS.dependencies.items),
    variables: variables(below("variables")),
    other: meant.filter(({ path }) => !named.includes(String(path[0]))).map(other),
  };
}

export function isEmpty({ phase, tasks, dependencies, variables, other }: WorkDiff): boolean {
  const lists = [tasks, dependencies].flatMap(({ added, removed, changed }) => [added, removed, changed]);
  const maps = [variables.added, variables.removed, variables.changed];
  return phase === null && [...lists, ...maps.map(Object.keys), other].every((list) => list.length === 0);
}

async function bothPhases({ before, after }: StateLookup): Promise<FromTo> {
  return { from: (await before(["phase"])) ?? null, to: (await after(["phase"])) ?? null };
}

async function items(
  changes: readonly Change[],
  lookup: StateLookup,
  { id, title }: NonNullable<StateField["items"]>,
): Promise<ItemChanges> {
  const result: ItemChanges = { added: [], removed: [], changed: [] };
  for (const change of changes) {
    const { path } = change;
    if (path.length < 2) addWhole(result, change);
    else if (path.length === 2 && change.kind === "added") result.added.push(change.to as JsonObject);
    else if (path.length === 2 && change.kind === "removed") result.removed.push(change.from as JsonObject);
    else {
      const item = await lookup.after(path.slice(0, 2));
      const key = textOf(item, id) ?? String(path[1]);
      let entry = result.changed.find((candidate) => candidate.id === key);
      if (entry === undefined)
        result.changed.push((entry = { id: key, title: textOf(item, title) ?? "", fields: {} }));
      const field = change.kind === "moved" ? "position" : formatPath(path.slice(2));
      entry.fields[field] = fromTo(change);
    }
  }
  return result;
}

/** The whole list came, went, or was something else before. */
function addWhole(result: ItemChanges, change: Change): void {
  const { from, to } = fromTo(change);
  if (Array.isArray(from)) result.removed.push(...(from as JsonObject[]));
  if (Array.isArray(to)) result.added.push(...(to as JsonObject[]));
}

function variables(changes: readonly Change[]): WorkDiff["variables"] {
  const result = {
    added: {} as JsonObject,
    removed: {} as JsonObject,
    changed: {} as { [key: string]: FromTo },
  };
  for (const change of changes) {
    const { from, to } = fromTo(change);
    const [, name, ...below] = change.path;
    if (name === undefined) {
      Object.assign(result.removed, from);
      Object.assign(result.added, to);
    } else if (below.length > 0) result.changed[formatPath(change.path.slice(1))] = { from, to };
    else if (change.kind === "added") setOwn(result.added, String(name), to);
    else if (change.kind === "removed") setOwn(result.removed, String(name), from);
    else result.changed[String(name)] = { from, to };
  }
  return result;
}

function other(change: Change): WorkDiff["other"][number] {
  return { kind: change.kind, path: formatPath(change.path), ...fromTo(change) };
}

function fromTo(change: Change): FromTo {
  return {
    from: "from" in change ? change.from : null,
    to: "to" in change ? change.to : null,
  };
}
