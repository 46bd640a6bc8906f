import { isCheckpointError } from "../../errors.ts";
import type { LogEntry, Store } from "../../store/contract.ts";

const PAGE = 5_000;

/** All entries of a store's log in their order, without holding them all. Throws `corrupt` where the chain breaks. */
export async function* readEntries(store: Store): AsyncGenerator<readonly LogEntry[]> {
  for (let after: number | LogEntry = 0; ;) {
    const from: number | LogEntry = after;
    const page: LogEntry[] = await store
      .readLog({ after: from, limit: PAGE })
      .catch(async (error: unknown) => {
        const whole = isCheckpointError(error, "corrupt") ? Number(error.details["whole"]) : 0;
        if (whole <= 0) throw error;
        return store.readLog({ after: from, limit: whole });
      });
    const last = page.at(-1);
    if (last === undefined) return;
    yield page;
    after = last;
  }
}
