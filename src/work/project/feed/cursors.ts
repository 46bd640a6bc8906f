import { CheckpointError } from "../../../core/errors.ts";
import type { Store } from "../../../core/store/contract.ts";
import { readRecords, writeRecords } from "./records.ts";

const BOOK = "feed";

const keyOf = (consumer: string) => `cursor/${consumer}`;

const NAME = /^[A-Za-z0-9][\w.-]{0,99}$/;

export function parseConsumer(name: string): string {
  if (NAME.test(name)) return name;
  throw new CheckpointError("usage", `${JSON.stringify(name.slice(0, 60))} cannot name a consumer.`, {
    hint: 'Use letters, digits, "-", "_" and ".", as in deploy-bot.',
  });
}

/** Where a consumer stands; undefined for one that has acknowledged nothing yet. */
export async function readCursor(store: Store, consumer: string): Promise<string | undefined> {
  return (await readRecords(store, BOOK)).get(keyOf(consumer));
}

/** Durable before it resolves. */
export async function writeCursor(
  store: Store,
  consumer: string,
  { cursor, now }: { readonly cursor: string; readonly now: Date },
): Promise<void> {
  return writeRecords(store, BOOK, { records: { [keyOf(consumer)]: cursor }, now });
}
