import type { NewObject } from "../../objects/object-format.ts";
import type { ObjectId } from "../../objects/object-id.ts";
import type { Commit } from "../contract.ts";
import { foreignIdTaken, headMoved, staleReference } from "../stale-reference.ts";
import type { Connection } from "./connection.ts";
import type { KnownObjects } from "./known-objects.ts";
import { keyOf, pack, type PackedObject, type RowRef } from "./object-rows.ts";

/** The parts of a change, compressed: done before the write lock is taken, because it takes the most time. */
export type PackedCommit = ReadonlyMap<ObjectId, PackedObject>;

/** Compresses what the store is not known to have. */
export function packCommit(connection: Connection, change: Commit, known: KnownObjects): PackedCommit {
  return connection.read(() => {
    known.refresh();
    const packed = new Map<ObjectId, PackedObject>();
    for (const object of [...change.objects, change.checkpoint]) {
      if (packed.has(object.id) || known.get(object.id)) continue;
      packed.set(object.id, pack(object.bytes, object.predecessor && known.base(object.predecessor)));
    }
    return packed;
  });
}

/** Writes a change. Runs inside a write transaction: whatever it throws leaves nothing behind. */
export function writeCommit(connection: Connection, change: Commit, packed: PackedCommit, known: KnownObjects): void {
  known.refresh();
  const trail = trailRow(connection, change.trail);
  const found = trail.head === null ? undefined : (Buffer.from(trail.head).toString("hex") as ObjectId);
  if (change.head && change.head.from !== found) throw headMoved(change.trail, change.head.from, found);

  const writer = new RowWriter(connection, packed, known);
  for (const object of change.objects) writer.write(object);
  const { row } = writer.write(change.checkpoint);

  const parent = change.parent === undefined ? null : Buffer.from(change.parent, "hex");
  connection
    .sql("INSERT OR IGNORE INTO checkpoints(object, trail, created, parent) VALUES (?, ?, ?, ?)")
    .run(row, trail.id, change.createdAt, parent);
  if (change.foreignId !== undefined) writeForeignId(connection, trail.id, row, change);
  if (change.head) {
    const head = Buffer.from(change.checkpoint.id, "hex");
    connection.sql("UPDATE trails SET head = ? WHERE id = ?").run(head, trail.id);
  }
}

interface TrailRow {
  readonly id: number;
  readonly head: Uint8Array | null;
}

function trailRow(connection: Connection, name: string): TrailRow {
  const found = connection.sql("SELECT id, head FROM trails WHERE name = ?").get(name) as TrailRow | undefined;
  if (found) return found;
  const { lastInsertRowid } = connection.sql("INSERT INTO trails(name) VALUES (?)").run(name);
  return { id: Number(lastInsertRowid), head: null };
}

function writeForeignId(connection: Connection, trail: number, row: number, { trail: name, foreignId = "" }: Commit): void {
  const { changes } = connection
    .sql("INSERT OR IGNORE INTO foreign_ids(trail, foreign_id, object) VALUES (?, ?, ?)")
    .run(trail, foreignId, row);
  if (changes === 0) throw foreignIdTaken(name, foreignId);
}

/** Inserts objects that are not there yet, each after everything it refers to. */
class RowWriter {
  readonly #connection: Connection;
  readonly #packed: PackedCommit;
  readonly #known: KnownObjects;
  #nextRow: number;

  constructor(connection: Connection, packed: PackedCommit, known: KnownObjects) {
    this.#connection = connection;
    this.#packed = packed;
    this.#known = known;
    const { last } = connection.sql("SELECT max(id) AS last FROM objects").get() as { last: number | null };
    this.#nextRow = (last ?? 0) + 1;
  }

  write(object: NewObject): RowRef {
    const present = this.#known.get(object.id);
    if (present) return present;
    const { changes } = this.#connection
      .sql("INSERT OR IGNORE INTO ids(hash, object) VALUES (?, ?)")
      .run(keyOf(object.id), this.#nextRow);
    if (changes === 0) return this.#known.find(object.id) as RowRef;
    for (const link of object.links) if (!this.#known.find(link)) throw staleReference(link);
    return this.#insert(object);
  }

  #insert(object: NewObject): RowRef {
    const packed = this.#stillValid(object);
    const base = packed.base;
    const ref = { row: this.#nextRow++, depth: base ? base.depth + 1 : 0 };
    this.#connection
      .sql("INSERT INTO objects(id, base, depth, data) VALUES (?, ?, ?, ?)")
      .run(ref.row, base?.row ?? null, ref.depth, packed.data);
    this.#known.add(object.id, ref, object.bytes);
    return ref;
  }

  /** A base may have been swept away, or moved, since the object was compressed against it. */
  #stillValid(object: NewObject): PackedObject {
    const packed = this.#packed.get(object.id);
    if (packed === undefined) return pack(object.bytes);
    if (packed.base === undefined) return packed;
    const base = object.predecessor && this.#known.find(object.predecessor);
    return base && base.row === packed.base.row ? { ...packed, base } : pack(object.bytes);
  }
}
