import { readCheckpoint } from "../../../core/trails/document.ts";
import { isOfThisStore } from "../../../core/trails/transfer/export-trail.ts";
import { newObjects } from "../../../core/trails/transfer/new-objects.ts";
import type { NewObject } from "../../../core/objects/object-format.ts";
import type { ObjectId } from "../../../core/objects/object-id.ts";
import { readChecked, type ReadObjects } from "../../../core/objects/read-tree.ts";
import type { Store } from "../../../core/store/contract.ts";
import type { LinedUp } from "../../../core/trails/lines/line.ts";
import { encodeSection, type PackBase, type PackedCheckpoint } from "./pack.ts";

/** A pack holds about this much: less than that is compressed into it, and no more are merged. It is taken apart in memory. */
export const FULL_BYTES = 2 * 1024 * 1024;
const FULL_CHECKPOINTS = 5000;

export interface BuiltPack {
  readonly bytes: Uint8Array;
  readonly last: ObjectId;
  readonly checkpoints: number;
}

/** Packs of these checkpoints, oldest first. What the first one's parent holds, the remote has already. */
export async function* buildPacks(
  store: Store,
  line: readonly LinedUp[],
  epochNumber: number,
): AsyncGenerator<BuiltPack> {
  let open = emptyPack();
  for (const checkpoint of line) {
    await add(open, checkpoint, store);
    if (open.size < FULL_BYTES && open.checkpoints.length < FULL_CHECKPOINTS) continue;
    const full = close(open, epochNumber);
    // Let go of before it is sent: a pack on its way and what it was built from need not be in memory together.
    open = emptyPack();
    yield full;
  }
  if (open.checkpoints.length > 0) yield close(open, epochNumber);
}

interface OpenPack {
  readonly checkpoints: PackedCheckpoint[];
  readonly brought: Set<ObjectId>;
  readonly bases: Map<ObjectId, PackBase>;
  size: number;
}

const emptyPack = (): OpenPack => ({ checkpoints: [], brought: new Set(), bases: new Map(), size: 0 });

async function add(pack: OpenPack, checkpoint: LinedUp, store: Store): Promise<void> {
  const read: ReadObjects = (ids) => store.readObjects(ids);
  const { id, bytes, foreignId } = checkpoint;
  const { info, root } = readCheckpoint(id, bytes);
  const parent = checkpoint.after === undefined ? undefined : await parentOf(checkpoint.after, pack, store);
  const rootBefore = parent && readCheckpoint(parent.id, parent.bytes).root;
  const objects = root === rootBefore ? [] : await newObjects(root, rootBefore, pack.brought, read);
  await addBases(pack, objects, read);
  if (parent && !pack.brought.has(parent.id)) pack.bases.set(parent.id, parent);
  for (const object of objects) pack.brought.add(object.id);
  pack.brought.add(id);
  const records = new Map([...checkpoint.records].filter(([key]) => !isOfThisStore(key)));
  const after = checkpoint.after === info.parent_hash ? undefined : checkpoint.after;
  pack.checkpoints.push({ id, bytes, objects, after, foreignId, records });
  pack.size += objects.reduce((sum, object) => sum + object.bytes.length, bytes.length);
}

/**
 * The parent's own bytes: those of a checkpoint differ from it in a few words. Undefined if it was pruned: its bytes stay until
 * a sweep, but the remote never gets them.
 */
async function parentOf(id: ObjectId, pack: OpenPack, store: Store): Promise<PackBase | undefined> {
  const last = pack.checkpoints.at(-1);
  if (last?.id === id) return last;
  if ((await store.tombstone(id)) !== undefined) return undefined;
  const bytes = (await store.readObjects([id])).get(id);
  return bytes && { id, bytes };
}

async function addBases(pack: OpenPack, objects: readonly NewObject[], read: ReadObjects): Promise<void> {
  const wanted = new Set(objects.flatMap(({ predecessor }) => predecessor ?? []));
  const missing = [...wanted].filter((id) => !pack.brought.has(id) && !pack.bases.has(id));
  for (const [id, bytes] of await readChecked(missing, read)) pack.bases.set(id, { id, bytes });
}

function close({ checkpoints, bases }: OpenPack, epochNumber: number): BuiltPack {
  const last = checkpoints.at(-1) as PackedCheckpoint;
  const bytes = encodeSection(checkpoints, [...bases.values()], epochNumber);
  return { bytes, last: last.id, checkpoints: checkpoints.length };
}
