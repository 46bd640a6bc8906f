import { CheckpointError, isCheckpointError } from "../../../core/errors.ts";
import { encode } from "../../../core/objects/encode.ts";
import type { Store } from "../../../core/store/contract.ts";
import { HIDDEN_PREFIX } from "../../../core/store/hidden-trails.ts";
import { writeCheckpoint } from "../../../core/trails/document.ts";

/**
 * The cursors of consumers are records of one checkpoint on a hidden trail. A commit for each acknowledgement would be an
 * event itself, and every consumer would be told of every other.
 */
const TRAIL = `${HIDDEN_PREFIX}feed`;

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
  const anchor = await store.head(TRAIL);
  if (anchor === undefined) return undefined;
  const value = (await store.attachments([anchor])).get(anchor)?.get(keyOf(consumer));
  return value && new TextDecoder().decode(value);
}

/** Durable before it resolves. */
export async function writeCursor(
  store: Store,
  consumer: string,
  { cursor, now }: { readonly cursor: string; readonly now: Date },
): Promise<void> {
  const records = new Map([[keyOf(consumer), new TextEncoder().encode(cursor)]]);
  const anchor = await store.head(TRAIL);
  if (anchor !== undefined) return store.attach(anchor, records);
  const { memory, objects } = encode({});
  const created_at = now.toISOString();
  const { object } = writeCheckpoint({ root: memory.root, trail: TRAIL, created_at, parent: undefined });
  const first = { objects, checkpoint: object, trail: TRAIL, parent: undefined, createdAt: now.getTime() };
  await store.commit({ ...first, head: { from: undefined } }).catch((error: unknown) => {
    // Another consumer was quicker.
    if (!isCheckpointError(error, "conflict")) throw error;
  });
  return writeCursor(store, consumer, { cursor, now });
}
