import { anchorLedger } from "./anchor.ts";
import type { Ledger } from "./ledger.ts";
import { readEntries } from "./read-entries.ts";

/**
 * The whole ledger as lines of JSON that a stranger can check: the store, each entry as the text that was hashed, and
 * the signed head. docs/governance.md has the script.
 */
export async function* exportLedger(ledger: Ledger): AsyncGenerator<string> {
  const anchor = await anchorLedger(ledger);
  yield line({ schema: "cairn/ledger-export@1", store: ledger.storeId });
  const last = new Map(anchor.trails?.map(({ trail, number }) => [trail, number]));
  for await (const page of readEntries(ledger.store))
    for (const { text, number, trail, after, hash } of page) {
      const isNew = after === anchor.number && number > (last.get(trail ?? "") ?? 0);
      if (!isNew && (after ?? number) <= anchor.number) yield line({ number, trail, after, hash, text });
    }
  yield line({ head: anchor });
}

const line = (value: object) => `${JSON.stringify(value)}\n`;
