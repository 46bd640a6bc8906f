import { isRaw, type NewObject } from "../../objects/object-format.ts";
import type { ObjectId } from "../../objects/object-id.ts";
import type { Commit } from "../contract.ts";
import { MAX_CHAIN, pack, type PackedObject } from "../packing.ts";
import { assertWellFormed, foreignIdTaken, headMoved, staleReference, trailRemoved } from "../refusals.ts";
import type { Connection } from "./connection.ts";
import type { Counters, KnownObjects } from "./known-objects.ts";
import type { Newest } from "./mark.ts";
import { keyOf, readSound, storeWhole, type RowRef } from "./object-rows.ts";
import { appendLog } from "./log.ts";
import { earlyOwner, moveRecords, storedOwner, writeRecords } from "./records.ts";
import { trailRow, type TrailRow } from "./trail-rows.ts";

/** What an object is a change of: a row, or an object of the same commit, which has no row yet. */
type BaseRef = RowRef | ObjectId;

/** The parts of a change, compressed: done before the write lock is taken, because it takes the most time. */
export interface PackedCommit {
  readonly objects: ReadonlyMap<ObjectId, PackedObject<BaseRef>>;
  /** How many sweeps there had been: after another one, what an object is a change of may be gone. */
  readonly sweeps: number;
}

/** Compresses what the store is not known to have. */
export function packCommit(connection: Connection, change: Commit, known: KnownObjects): PackedCommit {
  if (known.isEmpty) connection.read(() => known.refresh());
  const { sweeps } = known;
  const objects = new Map<ObjectId, PackedObject<BaseRef>>();
  const raw = new Map<ObjectId, Uint8Array>();
  for (const object of [...change.objects, change.checkpoint]) {
    if (objects.has(object.id) || known.get(object.id)) continue;
    const beside = object.predecessor === undefined ? undefined : raw.get(object.predecessor);
    const base = beside ? { ref: object.predecessor as ObjectId, bytes: beside } : known.baseFor(object);
    objects.set(object.id, pack<BaseRef>(object.bytes, base));
    // Two versions of a file may come at once. Other objects have no predecessor in their own commit.
    if (isRaw(object.bytes)) raw.set(object.id, object.bytes);
  }
  // If a sweep ran meanwhile, the bases of what was packed before it may be gone.
  return { objects, sweeps: known.sweeps === sweeps ? sweeps : Number.NaN };
}

/**
 * Writes a change. Runs inside a write transaction: whatever it throws leaves nothing behind. Returns the new checkpoint, or
 * undefined if it stands in the trail already.
 */
export function writeCommit(
  connection: Connection,
  change: Commit,
  packed: PackedCommit,
  known: KnownObjects,
): Newest | undefined {
  const counters = known.refresh();
  const trail = trailRow(connection, change.trail);
  if (trail.isRemoved && !change.revives) throw trailRemoved(change.trail);
  if (change.head && change.head.from !== trail.head)
    throw headMoved(change.trail, change.head.from, trail.head);
  if (change.foreignId !== undefined) assertForeignIdFree(connection, trail.id, change);

  const stillPacked =
    packed.sweeps === counters.sweeps ? packed.objects : new Map<ObjectId, PackedObject<BaseRef>>();
  const write = rowWriter(connection, change, stillPacked, known, counters.last_row + 1);
  for (const object of change.objects) write(object);
  const { row } = write(change.checkpoint);

  const adopted = change.adopts === undefined ? 0 : adopt(connection, change.adopts, trail.id, counters);
  const sequence = counters.last_sequence + adopted + 1;
  const isNew = insertPlace(connection, change, { sequence, trail, object: row });
  if (counters.has_tombstones) {
    connection.sql("DELETE FROM tombstones WHERE hash = ?").run(Buffer.from(change.checkpoint.id, "hex"));
  }
  if (change.head || trail.isRemoved) {
    const head = change.head ? Buffer.from(change.checkpoint.id, "hex") : null;
    connection
      .sql("UPDATE trails SET head = coalesce(?, head), removed = 0 WHERE id = ?")
      .run(head, trail.id);
  }
  if (change.records) writeRecords(connection, storedOwner(change.checkpoint.id, row), change.records);
  if (change.log?.length) appendLog(connection, change.log);
  return isNew ? { sequence, key: change.checkpoint.id.slice(0, 32) } : undefined;
}

/**
 * Puts a checkpoint into a trail. What stands there already keeps its place, and gets a foreign id if it has none. Returns
 * whether it is new there.
 */
function insertPlace(
  connection: Connection,
  change: Commit,
  place: { readonly sequence: number; readonly trail: TrailRow; readonly object: number },
): boolean {
  const { checkpoint, createdAt, foreignId } = change;
  const { sequence, object } = place;
  const { id: trail, head } = place.trail;
  const isOnHead = head !== undefined && change.parent === head;
  const parent = isOnHead ? Buffer.from(head, "hex") : knownParent(connection, change.parent);
  const { changes } = connection
    .sql(
      `INSERT INTO checkpoints(sequence, trail, object, key, created, parent, foreign_id)
       VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (object, trail) DO NOTHING`,
    )
    .run(sequence, trail, object, keyOf(checkpoint.id), createdAt, parent, foreignId ?? null);
  if (foreignId !== undefined) {
    connection
      .sql("UPDATE checkpoints SET foreign_id = ? WHERE object = ? AND trail = ? AND foreign_id IS NULL")
      .run(foreignId, object, trail);
    const early = earlyOwner(trail, { trail: change.trail, foreignId });
    moveRecords(connection, early, storedOwner(checkpoint.id, object));
  }
  if (parent && !isOnHead) noteFork(connection, parent, trail);
  return changes > 0;
}

/** Notes which trail forked where, if the parent is not in the trail itself: it stays as long as the trail has checkpoints. */
function noteFork(connection: Connection, parent: Uint8Array, trail: number): void {
  const hash = parent.subarray(0, 16);
  const places = connection
    .sql("SELECT max(trail = ?) AS isOwn FROM ids JOIN checkpoints USING (object) WHERE hash = ?")
    .get(trail, hash) as { isOwn: number | null };
  if (places.isOwn === 1) return;
  if (places.isOwn === 0) {
    connection.sql("INSERT OR IGNORE INTO forks(parent, trail) VALUES (?, ?)").run(hash, trail);
    return;
  }
  const above = connection.sql("SELECT parent FROM tombstones WHERE hash = ?").get(parent) as
    | { parent: Uint8Array | null }
    | undefined;
  if (above?.parent) noteFork(connection, above.parent, trail);
}

/** Moves what is in one trail into another, as if committed now, so that whoever follows the store sees it. Returns how many. */
function adopt(connection: Connection, from: string, to: number, { last_sequence }: Counters): number {
  const source = connection.sql("SELECT id FROM trails WHERE name = ?").get(from)?.id as number | undefined;
  if (source === undefined || source === to) return 0;
  connection
    .sql(
      `UPDATE checkpoints SET foreign_id = NULL
       WHERE trail = ?1 AND foreign_id IN (SELECT foreign_id FROM checkpoints WHERE trail = ?2)`,
    )
    .run(source, to);
  const rows = connection
    .sql("SELECT sequence FROM checkpoints WHERE trail = ? ORDER BY sequence")
    .all(source) as unknown as { sequence: number }[];
  const move = "UPDATE OR IGNORE checkpoints SET trail = ?, sequence = ? WHERE sequence = ?";
  rows.forEach(({ sequence }, at) => connection.sql(move).run(to, last_sequence + at + 1, sequence));
  connection.sql("DELETE FROM checkpoints WHERE trail = ?").run(source);
  connection.sql("UPDATE OR IGNORE forks SET trail = ? WHERE trail = ?").run(to, source);
  connection.sql("DELETE FROM forks WHERE trail = ?").run(source);
  connection.sql("DELETE FROM early_records WHERE trail = ?").run(source);
  connection.sql("DELETE FROM trails WHERE id = ?").run(source);
  return rows.length;
}

/** A parent that this store never had, as after an import, is named in the checkpoint itself, not in the index. */
function knownParent(connection: Connection, parent: ObjectId | undefined): Uint8Array | null {
  if (parent === undefined) return null;
  const hash = Buffer.from(parent, "hex");
  const isKnown =
    connection.sql("SELECT 1 FROM ids WHERE hash = ?").get(hash.subarray(0, 16)) ??
    connection.sql("SELECT 1 FROM tombstones WHERE hash = ?").get(hash);
  return isKnown ? hash : null;
}

/** The same checkpoint may be committed with the same foreign id again; neither may have another. */
function assertForeignIdFree(
  connection: Connection,
  trail: number,
  { trail: name, foreignId = "", checkpoint }: Commit,
): void {
  assertWellFormed(foreignId);
  const key = keyOf(checkpoint.id);
  const taken = connection
    .sql("SELECT 1 FROM checkpoints WHERE trail = ? AND foreign_id = ? AND key <> ?")
    .get(trail, foreignId, key);
  const other = connection
    .sql("SELECT 1 FROM ids JOIN checkpoints USING (object) WHERE hash = ? AND trail = ? AND foreign_id <> ?")
    .get(key, trail, foreignId);
  if (taken || other) throw foreignIdTaken(name, foreignId);
}

/** Inserts objects that are not there yet, each after everything it refers to. */
function rowWriter(
  connection: Connection,
  { bytesAreFinal = false }: Commit,
  packed: ReadonlyMap<ObjectId, PackedObject<BaseRef>>,
  known: KnownObjects,
  firstRow: number,
) {
  let nextRow = firstRow;
  return (object: NewObject): RowRef => {
    const present = known.get(object.id);
    if (present) return present;
    const { changes } = connection
      .sql("INSERT OR IGNORE INTO ids(hash, object) VALUES (?, ?)")
      .run(keyOf(object.id), nextRow);
    if (changes === 0) return healed(connection, object, known.find(object.id) as RowRef);
    for (const link of object.links) if (!known.find(link)) throw staleReference(link);
    const { data, base } = inRow(packed.get(object.id), known) ?? pack<RowRef>(object.bytes);
    const ref = { row: nextRow++, depth: base ? base.depth + 1 : 0 };
    connection
      .sql("INSERT INTO objects(id, base, depth, data) VALUES (?, ?, ?, ?)")
      .run(ref.row, base?.row ?? null, ref.depth, data);
    // Copied, because a caller that reuses its buffer must not change what the next object is compressed against.
    known.add(object, ref, bytesAreFinal ? object.bytes : new Uint8Array(object.bytes));
    return ref;
  };
}

/** With the row that its base has got meanwhile; undefined where that was in the store all along, at the end of a chain. */
function inRow(
  packed: PackedObject<BaseRef> | undefined,
  known: KnownObjects,
): PackedObject<RowRef> | undefined {
  if (packed === undefined || typeof packed.base !== "string")
    return packed as PackedObject<RowRef> | undefined;
  const base = known.get(packed.base);
  return base && base.depth < MAX_CHAIN ? { data: packed.data, base } : undefined;
}

/** What is there already stays, unless it is damaged: the right bytes have just been given. */
function healed(connection: Connection, { id, bytes }: NewObject, ref: RowRef): RowRef {
  if (readSound(connection, ref.row, id)) return ref;
  storeWhole(connection, ref.row, bytes);
  return { row: ref.row, depth: 0 };
}
