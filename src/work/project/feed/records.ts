import { isCheckpointError } from "../../../core/errors.ts";
import { encode } from "../../../core/objects/encode.ts";
import type { Store, StoredCheckpoint } from "../../../core/store/contract.ts";
import { HIDDEN_PREFIX, isHidden } from "../../../core/store/hidden-trails.ts";
import { DAMAGED, infoOrDamage, readCheckpoint, writeCheckpoint } from "../../../core/trails/document.ts";

/**
 * What consumers of the feed keep in the store: records of one checkpoint on a hidden trail. A commit for each would be an
 * event itself, and every consumer would be told of every other.
 */
export async function readRecords(store: Store, book: string): Promise<ReadonlyMap<string, string>> {
  const anchor = await store.head(trailOf(book));
  if (anchor === undefined) return new Map();
  const records = (await store.attachments([anchor])).get(anchor) ?? new Map<string, Uint8Array>();
  return new Map([...records].map(([key, value]) => [key, new TextDecoder().decode(value)]));
}

/** Durable before it resolves. A null value deletes. */
export async function writeRecords(
  store: Store,
  book: string,
  { records, now }: { readonly records: Readonly<Record<string, string | null>>; readonly now: Date },
): Promise<void> {
  const trail = trailOf(book);
  const encoder = new TextEncoder();
  const anchor = await store.head(trail);
  if (anchor !== undefined)
    return store.attach(
      anchor,
      new Map(
        Object.entries(records).map(([key, value]) => [key, value === null ? null : encoder.encode(value)]),
      ),
    );
  const { memory, objects } = encode({});
  const created_at = now.toISOString();
  const { object } = writeCheckpoint({ root: memory.root, trail, created_at, parent: undefined });
  const first = { objects, checkpoint: object, trail, parent: undefined, createdAt: now.getTime() };
  await store.commit({ ...first, head: { from: undefined } }).catch((error: unknown) => {
    // Another consumer was quicker.
    if (!isCheckpointError(error, "conflict")) throw error;
  });
  return writeRecords(store, book, { records, now });
}

/** Whether a checkpoint is nothing but the anchor of records: it has no state, so the gate was not asked for it. */
export function isAnchorOfRecords(stored: StoredCheckpoint): boolean {
  const { id, bytes, parent, trail } = stored;
  if (!isHidden(trail) || parent !== undefined) return false;
  return (
    infoOrDamage(stored).trigger !== DAMAGED && readCheckpoint(id, bytes).root === encode({}).memory.root
  );
}

const trailOf = (book: string) => `${HIDDEN_PREFIX}${book}`;
