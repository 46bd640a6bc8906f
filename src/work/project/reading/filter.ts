import type { WorkDiff } from "../../state/work-diff.ts";
import { infoOrDamage } from "../../../core/trails/document.ts";
import type { ObjectId } from "../../../core/objects/object-id.ts";
import type { Store, StoredCheckpoint } from "../../../core/store/contract.ts";
import { parseSince } from "./parse-since.ts";
import type { Project } from "../project.ts";
import type { ListInput } from "./list.ts";

/** Which checkpoints of a history are wanted. Asked for many at once, because finding out what they changed takes time. */
export type Filter = (checkpoints: readonly StoredCheckpoint[]) => Promise<StoredCheckpoint[]>;

/** The filter that was asked for; undefined without one, which costs nothing then. */
export function filterOf(
  { now }: Pick<Project, "now">,
  { since, by, trigger, grep }: ListInput,
): ((store: Store) => Filter) | undefined {
  if ([since, by, trigger, grep].every((condition) => condition === undefined)) return undefined;
  const from = since === undefined ? undefined : parseSince(since, now()).getTime();
  const isWanted = (stored: StoredCheckpoint) => {
    const info = infoOrDamage(stored);
    return (
      (from === undefined || Date.parse(info.created_at) >= from) &&
      (by === undefined || info.agent_id === by) &&
      (trigger === undefined || info.trigger === trigger || info.trigger.startsWith(`${trigger}:`))
    );
  };
  return (store) => async (checkpoints) => {
    const found = checkpoints.filter(isWanted);
    return grep === undefined ? found : saying(store, found, grep.toLowerCase());
  };
}

/** Those with a text in their notes, or in what they changed. */
async function saying(
  store: Store,
  checkpoints: readonly StoredCheckpoint[],
  text: string,
): Promise<StoredCheckpoint[]> {
  const has = (words: string) => words.toLowerCase().includes(text);
  const isNoted = (stored: StoredCheckpoint) => has(infoOrDamage(stored).notes ?? "");
  const { changesOf } = await import("./changes-of.ts");
  const changes = await changesOf(
    store,
    checkpoints.filter((stored) => !isNoted(stored)),
  );
  return checkpoints.filter((stored) => isNoted(stored) || wordsIn(changes.get(stored.id)).some(has));
}

/** What somebody wrote, without the names that every description of changes has: "phase" would find them all. */
function wordsIn(changes: WorkDiff | "damaged" | null | undefined): string[] {
  if (changes === null || changes === undefined || changes === "damaged") return [];
  const { phase, tasks, dependencies, variables, other } = changes;
  const changed = Object.entries(variables.changed).map(([name, { from, to }]) => [name, from, to]);
  const places = other.map(({ path, from, to }) => [path, from, to]);
  return [
    ...textsIn([phase, tasks, dependencies, places], "values"),
    ...textsIn([variables.added, variables.removed, changed], "names too"),
  ];
}

function textsIn(value: unknown, which: "values" | "names too"): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [JSON.stringify(value) ?? ""];
  const names = which === "names too" && !Array.isArray(value) ? Object.keys(value) : [];
  return [...names, ...Object.values(value).flatMap((inner) => textsIn(inner, which))];
}

const PAGE = 100;

/** The newest checkpoints of a trail that a filter lets through. */
export async function filteredHistory(
  store: Store,
  trail: string,
  { limit, filter }: { readonly limit: number; readonly filter: Filter | undefined },
): Promise<StoredCheckpoint[]> {
  if (filter === undefined) return store.history(trail, { limit });
  const found: StoredCheckpoint[] = [];
  for (let page = await store.history(trail, { limit: PAGE }); page.length > 0;) {
    found.push(...(await filter(page)));
    if (found.length >= limit || page.length < PAGE) break;
    page = await store.history(trail, { limit: PAGE, before: page.at(-1)!.id });
  }
  return found.slice(0, limit);
}

/**
 * The newest checkpoints of all trails, newest first, and the heads of these trails. Only as many trails are looked
 * at as there are checkpoints asked for: a trail that moved before all of those has none among them.
 */
export async function recentOfAll(
  store: Store,
  limit: number,
  filter?: Filter,
): Promise<{ checkpoints: StoredCheckpoint[]; heads: ReadonlySet<ObjectId> }> {
  const all = await store.trails();
  const trails = filter === undefined ? all.slice(0, limit) : all;
  // By id, because an imported trail may hold checkpoints that another one here has too.
  const found = new Map<ObjectId, StoredCheckpoint>();
  for (const { name } of trails) {
    for (const stored of await filteredHistory(store, name, { limit, filter }))
      if (!found.has(stored.id)) found.set(stored.id, stored);
  }
  return {
    checkpoints: [...found.values()].toSorted((a, b) => b.sequence - a.sequence).slice(0, limit),
    heads: new Set(trails.map(({ head }) => head)),
  };
}
