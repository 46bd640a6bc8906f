import type { LogEntry, Store } from "../../store/contract.ts";

const PAGE = 5_000;

/** All entries of a store's log in their order, without holding them all. Throws `corrupt` where the chain breaks. */
export async function* readEntries(store: Store): AsyncGenerator<readonly LogEntry[]> {
  for (let after = 0; ;) {
    const page = await store.readLog({ after, limit: PAGE });
    yield page;
    if (page.length < PAGE) return;
    after = (page.at(-1) as LogEntry).number;
  }
}
