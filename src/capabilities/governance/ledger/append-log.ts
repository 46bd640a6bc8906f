import type { BuildCommit, Commit, Store } from "../../../core/store/contract.ts";
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
  const { store } = ledger;
  const recorded = async (built: Commit): Promise<Commit> => {
    // Taken first: what others bring while this is decided has it decided again.
    const { number } = ledger.tail;
    const next = ledger.toAppend(await entriesFor(built), number);
    return { ...built, ...next, ...(records ? { records } : {}) };
  };
  return async (change) => {
    const { trail } = change;
    const ready = "build" in change ? change.prepared : change;
    const build: BuildCommit["build"] = async (head) => {
      const built = "build" in change ? await currentCommit(change, head) : change;
      if (built === undefined) return undefined;
      await ledger.refresh();
      return recorded(built);
    };
    let isAlone = !store.hasTrailChains;
    const beside = (built: Commit | undefined) => {
      isAlone = built !== undefined && built.logAfter === undefined;
      return isAlone ? undefined : built;
    };
    if (!isAlone) {
      await ledger.glance();
      // What is refused now may be allowed by what others appended: it is decided again.
      const prepared = ready && beside(await recorded(ready).catch(() => undefined));
      const again: BuildCommit["build"] = async (head) => beside(await build(head));
      if (!isAlone) await store.commit({ trail, ...(prepared && { prepared }), log: "share", build: again });
    }
    if (isAlone) await store.commit({ trail, log: "hold", build });
  };
}

/** What was prepared is used while it fits, as a store does without entries. */
async function currentCommit(
  { prepared, build }: BuildCommit,
  head: Parameters<BuildCommit["build"]>[0],
): Promise<Commit | undefined> {
  return prepared?.head !== undefined && prepared.head.from === head ? prepared : build(head);
}
