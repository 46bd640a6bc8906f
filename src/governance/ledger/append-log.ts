import { CheckpointError } from "../../errors.ts";
import type { BuildCommit, Commit, Store } from "../../store/contract.ts";
import type { LedgerEntry } from "../state/entry.ts";
import type { Ledger } from "./ledger.ts";

/** What is recorded with a commit, made for the ledger as it is then. Throwing refuses the commit. */
export type EntriesFor = (change: Commit) => readonly LedgerEntry[] | Promise<readonly LedgerEntry[]>;

/**
 * Commits to the ledger's store, where every commit also appends entries, in its own transaction. Where each trail has a
 * chain of its own, an entry that nothing else depends on goes there, and waits for nobody.
 */
export function recordedCommit(
  ledger: Ledger,
  entriesFor: EntriesFor,
  records?: Commit["records"],
): Store["commit"] {
  const recorded = async (built: Commit): Promise<Commit> => {
    await ledger.refresh();
    // Taken first: what others bring while this is decided has it decided again.
    const { number } = ledger.tail;
    const next = ledger.toAppend(await entriesFor(built), number);
    return { ...built, ...next, ...(records ? { records } : {}) };
  };
  return async (change) => {
    const { store } = ledger;
    const { trail } = change;
    const build: BuildCommit["build"] = async (head) => {
      const built = "build" in change ? await currentCommit(change, head) : change;
      return built && recorded(built);
    };
    if (store.hasTrailChains) {
      const ready = "build" in change ? change.prepared : change;
      const prepared = ready && (await recorded(ready));
      const isAlone = (commit: Commit | undefined) => commit !== undefined && commit.logAfter === undefined;
      const beside: BuildCommit["build"] = async (head) => {
        const built = await build(head);
        if (isAlone(built)) throw ALONE;
        return built;
      };
      try {
        if (!isAlone(prepared))
          return await store.commit({ trail, ...(prepared && { prepared }), log: "share", build: beside });
      } catch (error) {
        if (error !== ALONE) throw error;
      }
    }
    return store.commit({ trail, log: "hold", build });
  };
}

/** Ends an attempt to append beside others, to hold the whole log instead. */
const ALONE = new CheckpointError("conflict", "These entries belong into the store's own chain.");

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

/** What was prepared is used while it fits, as a store does without entries. */
async function currentCommit(
  { prepared, build }: BuildCommit,
  head: Parameters<BuildCommit["build"]>[0],
): Promise<Commit | undefined> {
  return prepared?.head !== undefined && prepared.head.from === head ? prepared : build(head);
}
