import { isCheckpointError } from "../../errors.ts";
import type { LogEntry, Store } from "../../store/contract.ts";

const PAGE = 5_000;

/** All entries of a store's log in their order, without holding them all. Throws `corrupt` where the chain breaks. */
export async function* readEntries(store: Store): AsyncGenerator<readonly LogEntry[]> {
  for (let after = 0; ;) {
    const page = await store.readLog({ after, limit: PAGE }).catch(async (error: unknown) => {
      const whole = isCheckpointError(error, "corrupt") ? Number(error.details["entry"]) - 1 - after : 0;
      if (whole <= 0) throw error;
      return store.readLog({ after, limit: whole });
    });
    if (page.length === 0) return;
    yield page;
    after = (page.at(-1) as LogEntry).number;
  }
}
