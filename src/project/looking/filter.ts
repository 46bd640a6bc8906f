import { infoOrDamage } from "../../checkpoints/document.ts";
import type { Store, StoredCheckpoint } from "../../store/contract.ts";
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
  const has = (value: unknown) => JSON.stringify(value).toLowerCase().includes(text);
  const isNoted = (stored: StoredCheckpoint) => has(infoOrDamage(stored).notes ?? "");
  const { changesOf } = await import("./changes-of.ts");
  const changes = await changesOf(
    store,
    checkpoints.filter((stored) => !isNoted(stored)),
  );
  return checkpoints.filter((stored) => isNoted(stored) || has(changes.get(stored.id) ?? ""));
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
