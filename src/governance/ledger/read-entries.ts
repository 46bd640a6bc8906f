import { isCheckpointError } from "../../errors.ts";
import type { LogEntry, LogPage, Store } from "../../store/contract.ts";

const PAGE = 5_000;

/**
 * All entries of a store's log in their order, without holding them all. Throws `corrupt` where the chain breaks. Others may
 * append meanwhile: to the chains of trails also before the last entry that was read.
 */
export async function* readEntries(store: Store): AsyncGenerator<readonly LogEntry[]> {
  let after: number | LogEntry = 0;
  /** How far each chain was read, since the last entry of the store's own. */
  const seen = new Map<string, number>();
  for (;;) {
    const from = { after, seen: [...seen].map(([trail, number]) => ({ trail, number })) };
    const page: LogEntry[] = await readPage(store, from);
    const last = page.at(-1);
    if (last === undefined) return;
    yield page;
    for (const { trail, number } of page) {
      if (trail === undefined) seen.clear();
      seen.set(trail ?? "", number);
    }
    after = last.after === undefined ? last : last.after - 1;
  }
}

/** Where the chain breaks, first what comes before that. */
async function readPage(store: Store, from: LogPage): Promise<LogEntry[]> {
  return store.readLog({ ...from, limit: PAGE }).catch((error: unknown) => {
    const whole = isCheckpointError(error, "corrupt") ? Number(error.details["whole"]) : 0;
    if (whole <= 0) throw error;
    return store.readLog({ ...from, limit: whole });
  });
}
