import type { JsonObject } from "../../objects/json.ts";
import type { BuildCommit, Commit, Store } from "../../store/contract.ts";

/** Entries for the log of a commit, and what they come after. Throwing refuses the commit. */
export type EntriesFor = (change: Commit) => Promise<NextEntries & Pick<Commit, "records">>;
export type NextEntries = { readonly log: readonly JsonObject[]; readonly logAfter: number };

/** The same store, where every commit also appends entries to the log, in its own transaction. */
export function withLogEntries(store: Store, entriesFor: EntriesFor): Store {
  const commit: Store["commit"] = (change) =>
    store.commit({ trail: change.trail, build: (head) => buildWith(change, head, entriesFor) });
  return withMethods(store, { commit });
}

/** The same store with other methods. A copy would lose what a store keeps private. */
export function withMethods(store: Store, methods: Partial<Store>): Store {
  return new Proxy(store, {
    get(target, name) {
      const value: unknown = Object.hasOwn(methods, name)
        ? Reflect.get(methods, name)
        : Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

async function buildWith(
  change: Commit | BuildCommit,
  head: Parameters<BuildCommit["build"]>[0],
  entriesFor: EntriesFor,
): Promise<Commit | undefined> {
  const built = "build" in change ? await currentCommit(change, head) : change;
  if (built === undefined) return undefined;
  const { log, ...more } = await entriesFor(built);
  return { ...built, ...more, log: [...(built.log ?? []), ...log] };
}

/** What was prepared is used while it fits, as a store does without entries. */
async function currentCommit(
  { prepared, build }: BuildCommit,
  head: Parameters<BuildCommit["build"]>[0],
): Promise<Commit | undefined> {
  return prepared?.head !== undefined && prepared.head.from === head ? prepared : build(head);
}
