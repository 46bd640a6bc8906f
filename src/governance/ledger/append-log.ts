import type { BuildCommit, Commit, Store } from "../../store/contract.ts";
import type { LedgerEntry } from "../state/entry.ts";
import type { Ledger } from "./ledger.ts";

/** What is recorded with a commit, made for the ledger as it is then. Throwing refuses the commit. */
export type EntriesFor = (change: Commit) => readonly LedgerEntry[] | Promise<readonly LedgerEntry[]>;

/** Commits to the ledger's store, where every commit also appends entries, in its own transaction. */
export function recordedCommit(
  ledger: Ledger,
  entriesFor: EntriesFor,
  records?: Commit["records"],
): Store["commit"] {
  return (change) => {
    const build: BuildCommit["build"] = async (head) => {
      const built = "build" in change ? await currentCommit(change, head) : change;
      if (built === undefined) return undefined;
      await ledger.refresh();
      const next = ledger.withSeal(await entriesFor(built));
      return { ...built, ...next, ...(records ? { records } : {}) };
    };
    return ledger.store.commit({ trail: change.trail, build });
  };
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

/** What was prepared is used while it fits, as a store does without entries. */
async function currentCommit(
  { prepared, build }: BuildCommit,
  head: Parameters<BuildCommit["build"]>[0],
): Promise<Commit | undefined> {
  return prepared?.head !== undefined && prepared.head.from === head ? prepared : build(head);
}
