import type { NewObject } from "../../objects/object-format.ts";
import type { ObjectId } from "../../objects/object-id.ts";
import type { Commit } from "../contract.ts";
import { foreignIdTaken, headMoved, staleReference } from "../conflicts.ts";
import type { Connection } from "./connection.ts";
import { raiseCounter } from "./counters.ts";
import type { KnownObjects } from "./known-objects.ts";
import { keyOf, pack, type Base, type PackedObject, type RowRef } from "./object-rows.ts";
import { hexId } from "./read-checkpoints.ts";

/** The parts of a change, compressed: done before the write lock is taken, because it takes the most time. */
export interface PackedCommit {
  readonly objects: ReadonlyMap<ObjectId, PackedObject>;
  /** How many sweeps there had been: after another one, what an object is a change of may be gone. */
  readonly sweeps: number;
}

/** Compresses what the store is not known to have. */
export function packCommit(connection: Connection, change: Commit, known: KnownObjects): PackedCommit {
  if (known.isEmpty) connection.read(() => known.refresh());
  const { sweeps } = known;
  const objects = new Map<ObjectId, PackedObject>();
  for (const object of [...change.objects, change.checkpoint]) {
    if (objects.has(object.id) || known.get(object.id)) continue;
    objects.set(object.id, pack(object.bytes, baseOf(connection, object, known)));
  }
  // Should a sweep have been noticed on the way, the bases of what was packed before it may be gone.
  return { objects, sweeps: known.sweeps === sweeps ? sweeps : Number.NaN };
}

/** What is remembered needs no look into the store; should a sweep have been at work, the write will notice. */
function baseOf(connection: Connection, { predecessor }: NewObject, known: KnownObjects): Base | undefined {
  if (predecessor === undefined) return undefined;
  const remembered = known.rememberedBase(predecessor);
  if (remembered) return remembered;
  return connection.read(() => {
    known.refresh();
    return known.base(predecessor);
  });
}

/** Writes a change. Runs inside a write transaction: whatever it throws leaves nothing behind. */
export function writeCommit(
  connection: Connection,
  change: Commit,
  packed: PackedCommit,
  known: KnownObjects,
): void {
  const counters = known.refresh();
  const trail = trailRow(connection, change.trail);
  if (change.head && change.head.from !== trail.head)
    throw headMoved(change.trail, change.head.from, trail.head);
  if (change.foreignId !== undefined) assertForeignIdFree(connection, trail.id, change);

  const stillPacked = packed.sweeps === counters.sweeps ? packed.objects : new Map<ObjectId, PackedObject>();
  const writer = new RowWriter(connection, stillPacked, known, counters.last_row + 1);
  const { bytesAreFinal = false } = change;
  for (const object of change.objects) writer.write(object, bytesAreFinal);
  const { row } = writer.write(change.checkpoint, bytesAreFinal);

  if (change.adopts !== undefined) adopt(connection, change.adopts, trail.id, counters.last_sequence);
  const parent = knownParent(connection, change.parent, known);
  connection
    .sql(
      "INSERT OR IGNORE INTO checkpoints(sequence, trail, object, key, created, parent) VALUES (?, ?, ?, ?, ?, ?)",
    )
    .run(counters.last_sequence + 1, trail.id, row, keyOf(change.checkpoint.id), change.createdAt, parent);
  if (counters.has_tombstones) {
    connection.sql("DELETE FROM tombstones WHERE hash = ?").run(Buffer.from(change.checkpoint.id, "hex"));
  }
  if (change.foreignId !== undefined) {
    const insert = "INSERT OR IGNORE INTO foreign_ids(trail, foreign_id, object) VALUES (?, ?, ?)";
    connection.sql(insert).run(trail.id, change.foreignId, row);
  }
  if (change.head) {
    const head = Buffer.from(change.checkpoint.id, "hex");
    connection.sql("UPDATE trails SET head = ? WHERE id = ?").run(head, trail.id);
  }
}

/** Moves what is in one trail into another. What stands there already keeps its place. */
function adopt(connection: Connection, from: string, to: number, lastSequence: number): void {
  const source = connection.sql("SELECT id FROM trails WHERE name = ?").get(from) as
    | { id: number }
    | undefined;
  if (source === undefined || source.id === to) return;
  for (const table of ["checkpoints", "foreign_ids"]) {
    connection.sql(`UPDATE OR IGNORE ${table} SET trail = ? WHERE trail = ?`).run(to, source.id);
    connection.sql(`DELETE FROM ${table} WHERE trail = ?`).run(source.id);
  }
  connection.sql("DELETE FROM trails WHERE id = ?").run(source.id);
  // The highest number may have been one of those that were not moved.
  raiseCounter(connection, "last_sequence", lastSequence);
}

/** A parent that this store never had, as after an import, is named in the checkpoint itself, not in the index. */
function knownParent(
  connection: Connection,
  parent: ObjectId | undefined,
  known: KnownObjects,
): Uint8Array | null {
  if (parent === undefined) return null;
  const hash = Buffer.from(parent, "hex");
  const isKnown = known.find(parent) ?? connection.sql("SELECT 1 FROM tombstones WHERE hash = ?").get(hash);
  return isKnown ? hash : null;
}

interface TrailRow {
  readonly id: number;
  readonly head: ObjectId | undefined;
}

function trailRow(connection: Connection, name: string): TrailRow {
  const found = connection.sql("SELECT id, head FROM trails WHERE name = ?").get(name) as
    | { id: number; head: Uint8Array | null }
    | undefined;
  if (found) return { id: found.id, head: found.head ? hexId(found.head) : undefined };
  const { lastInsertRowid } = connection.sql("INSERT INTO trails(name) VALUES (?)").run(name);
  return { id: Number(lastInsertRowid), head: undefined };
}

/** The same checkpoint may be committed with the same foreign id again; another one may not. */
function assertForeignIdFree(
  connection: Connection,
  trail: number,
  { trail: name, foreignId = "", checkpoint }: Commit,
): void {
  const taken = connection
    .sql("SELECT hash FROM foreign_ids JOIN ids USING (object) WHERE trail = ? AND foreign_id = ?")
    .get(trail, foreignId) as { hash: Uint8Array } | undefined;
  if (taken && !checkpoint.id.startsWith(Buffer.from(taken.hash).toString("hex")))
    throw foreignIdTaken(name, foreignId);
}

/** Inserts objects that are not there yet, each after everything it refers to. */
class RowWriter {
  readonly #connection: Connection;
  readonly #packed: ReadonlyMap<ObjectId, PackedObject>;
  readonly #known: KnownObjects;
  #nextRow: number;

  constructor(
    connection: Connection,
    packed: ReadonlyMap<ObjectId, PackedObject>,
    known: KnownObjects,
    firstRow: number,
  ) {
    this.#connection = connection;
    this.#packed = packed;
    this.#known = known;
    this.#nextRow = firstRow;
  }

  write(object: NewObject, bytesAreFinal: boolean): RowRef {
    const present = this.#known.get(object.id);
    if (present) return present;
    const { changes } = this.#connection
      .sql("INSERT OR IGNORE INTO ids(hash, object) VALUES (?, ?)")
      .run(keyOf(object.id), this.#nextRow);
    if (changes === 0) return this.#known.find(object.id) as RowRef;
    for (const link of object.links) if (!this.#known.find(link)) throw staleReference(link);
    return this.#insert(object, bytesAreFinal);
  }

  #insert(object: NewObject, bytesAreFinal: boolean): RowRef {
    const { data, base } = this.#packed.get(object.id) ?? pack(object.bytes);
    const ref = { row: this.#nextRow++, depth: base ? base.depth + 1 : 0 };
    this.#connection
      .sql("INSERT INTO objects(id, base, depth, data) VALUES (?, ?, ?, ?)")
      .run(ref.row, base?.row ?? null, ref.depth, data);
    // Copied, because a caller that reuses its buffer must not change what the next object is compressed against.
    this.#known.add(object, ref, bytesAreFinal ? object.bytes : new Uint8Array(object.bytes));
    return ref;
  }
}
