import type { ObjectId } from "../objects/object-id.ts";
import type { Store } from "../store/contract.ts";
import { own, parseJson, textOf } from "../text/untrusted.ts";

/** The record on checkpoints that a file brought. */
export const IMPORT_RECORD = "import";

/** What an import attaches to the checkpoints that it brings, since their bytes stay as they are. */
export interface ImportRecord {
  /** The name of the file. */
  readonly source: string;
  readonly at: string;
  readonly sha256: string;
  /** Whether the user vouched for the file. */
  readonly trusted: boolean;
}

/** The checkpoints of a file, their head, and the trail that they were gathered in. */
interface ArrivedCheckpoints {
  readonly ids: readonly ObjectId[];
  readonly head: ObjectId;
  readonly trail: string;
}

/**
 * Attaches the record to the imported head. The other checkpoints get the name of their source, because each of them
 * can be brought back. What this store had before stays as it is, unless a trusted file vouches for what an untrusted one
 * brought.
 */
export async function recordImport(
  store: Store,
  { ids, head, trail }: ArrivedCheckpoints,
  record: ImportRecord,
): Promise<void> {
  const { source, trusted } = record;
  for (const id of ids) {
    const isNews = !(await wasThere(store, id, trail));
    if (trusted ? isNews && id !== head : !isNews) continue;
    if (trusted && !isNews && (await isOwn(store, id))) continue;
    const value = id === head ? record : trusted ? null : { source };
    const bytes = value && new TextEncoder().encode(JSON.stringify(value));
    await store.attach(id, new Map([[IMPORT_RECORD, bytes]]));
  }
}

/** Whether the store had a checkpoint before: then it stands in another trail as well. */
async function wasThere(store: Store, id: ObjectId, trail: string): Promise<boolean> {
  return (await store.find({ idPrefix: id })).some((found) => found.trail !== trail);
}

/** Whether a checkpoint was made in this store, or came in a file that was trusted. */
export async function isOwn(store: Store, id: ObjectId): Promise<boolean> {
  return (await importSource(store, id)) === undefined;
}

/**
 * Whether a file brought a trail, trusted or not, or a trail that it was forked from. What was committed on top
 * since does not change where it came from.
 */
export async function isImportedTrail(store: Store, trail: string): Promise<boolean> {
  const head = await store.head(trail);
  const line = head === undefined ? [] : await store.lineage(head);
  return line.some(({ records }) => records.has(IMPORT_RECORD));
}

/** The file that brought a checkpoint; undefined for one that was made here, or came in a file that was trusted. */
export async function importSource(store: Store, id: ObjectId): Promise<string | undefined> {
  const value = (await store.attachments([id])).get(id)?.get(IMPORT_RECORD);
  if (value === undefined) return undefined;
  // A record that cannot be read still says that the checkpoint was imported.
  const record = parseJson(new TextDecoder().decode(value));
  return own(record, "trusted") === true ? undefined : (textOf(record, "source") ?? "a file");
}
