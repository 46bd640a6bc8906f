import { isCheckpointError } from "../../errors.ts";
import type { LogEntry, Store } from "../../store/contract.ts";

const PAGE = 5_000;

/** All entries of a store's log in their order, without holding them all. Throws `corrupt` where the chain breaks. */
export async function* readEntries(store: Store): AsyncGenerator<readonly LogEntry[]> {
  for (let last: LogEntry | undefined; ;) {
    const page: LogEntry[] = await readPage(store, last ?? 0);
    last = page.at(-1);
    if (last === undefined) return;
    yield page;
  }
}

/** Where the chain breaks, first what comes before that. */
async function readPage(store: Store, after: number | LogEntry): Promise<LogEntry[]> {
  return store.readLog({ after, limit: PAGE }).catch((error: unknown) => {
    const whole = isCheckpointError(error, "corrupt") ? Number(error.details["whole"]) : 0;
    if (whole <= 0) throw error;
    return store.readLog({ after, limit: whole });
  });
}
