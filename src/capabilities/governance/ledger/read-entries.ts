import { isCheckpointError } from "../../../core/errors.ts";
import type { LogEntry, LogPage, Store } from "../../../core/store/contract.ts";

const PAGE = 5_000;

/**
 * All entries of a store's log after one of its own chain, in their order, without holding them all. Throws `corrupt` where
 * the chain breaks. Others may append meanwhile: to the chains of trails also before the last entry that was read.
 */
export async function* readEntries(store: Store, start = 0): AsyncGenerator<readonly LogEntry[]> {
  let after: number | LogEntry = start;
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

/** After which entry the newest `count` of the store's own chain come. A log does not say how long it is: its end is found by halving. */
export async function startOfNewest(store: Store, count: number): Promise<number> {
  let last = 0;
  for (let step = 2 ** 31; step >= 1; step /= 2)
    if ((await store.readLog({ after: last + step - 1, limit: 1 })).length > 0) last += step;
  return Math.max(0, last - count);
}

/** Where the chain breaks, first what comes before that. */
async function readPage(store: Store, from: LogPage): Promise<LogEntry[]> {
  return store.readLog({ ...from, limit: PAGE }).catch((error: unknown) => {
    const whole = isCheckpointError(error, "corrupt") ? Number(error.details["whole"]) : 0;
    if (whole <= 0) throw error;
    return store.readLog({ ...from, limit: whole });
  });
}
