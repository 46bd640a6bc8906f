import { createHash } from "node:crypto";

import { CheckpointError } from "../../errors.ts";
import type { ObjectId } from "../../objects/object-id.ts";
import type { Damage, ForeignName, Records } from "../contract.ts";
import { recordDamage } from "../damage.ts";
import { assertWellFormed, noSuchCheckpoint, trailRemoved } from "../refusals.ts";
import { trailRow } from "./trail-rows.ts";
import type { Connection } from "./connection.ts";
import { findRow, hexId } from "./object-rows.ts";

interface RecordRow {
  readonly key: string;
  readonly hash: Uint8Array;
  readonly value: Uint8Array;
}

/** What records belong to: a checkpoint, or one that has not come yet. */
export interface RecordOwner {
  readonly table: "records" | "early_records";
  /** The first columns of the table, and their values. */
  readonly where: string;
  readonly values: readonly (number | string)[];
  /** How the hash of a record names it. */
  readonly subject: string;
}

/** A checkpoint by its id, of which half is enough, and its row. */
export function storedOwner(id: ObjectId, object: number): RecordOwner {
  return { table: "records", where: "object = ?", values: [object], subject: id.slice(0, 32) };
}

/** A checkpoint that another system has named before it came. */
export function earlyOwner(trail: number, name: ForeignName): RecordOwner {
  return {
    table: "early_records",
    where: "trail = ? AND foreign_id = ?",
    values: [trail, name.foreignId],
    subject: JSON.stringify([name.trail, name.foreignId]),
  };
}

/** Finds whom `attach` means. Runs inside a write transaction. */
export function ownerOf(connection: Connection, to: ObjectId | ForeignName): RecordOwner {
  if (typeof to === "string") {
    const ref = findRow(connection, to);
    const found = ref && connection.sql("SELECT object FROM checkpoints WHERE object = ?").get(ref.row);
    if (!found) throw noSuchCheckpoint(to);
    return storedOwner(to, ref.row);
  }
  assertWellFormed(to.foreignId);
  const { id: trail, isRemoved } = trailRow(connection, to.trail);
  const named = connection
    .sql("SELECT hash, object FROM checkpoints JOIN ids USING (object) WHERE trail = ? AND foreign_id = ?")
    .get(trail, to.foreignId) as { hash: Uint8Array; object: number } | undefined;
  if (named) return storedOwner(hexId(named.hash), named.object);
  if (isRemoved) throw trailRemoved(to.trail);
  return earlyOwner(trail, to);
}

export function writeRecords(
  connection: Connection,
  { table, where, values, subject }: RecordOwner,
  records: Records,
  ifAbsent = false,
): void {
  for (const [key, value] of records) {
    assertWellFormed(key);
    if (value === null) {
      if (!ifAbsent) connection.sql(`DELETE FROM ${table} WHERE ${where} AND key = ?`).run(...values, key);
      continue;
    }
    const owner = values.map(() => "?").join(", ");
    connection
      // Node 22 hands an empty array over as NULL.
      .sql(
        `INSERT OR ${ifAbsent ? "IGNORE" : "REPLACE"} INTO ${table} VALUES (${owner}, ?, ?, coalesce(?, x''))`,
      )
      .run(...values, key, recordHash(subject, key, value), value);
  }
}

/** Gives a checkpoint that has just come the records that waited for it. */
export function moveRecords(connection: Connection, from: RecordOwner, to: RecordOwner): void {
  const waiting = recordsOf(connection, from);
  if (waiting.size === 0) return;
  writeRecords(connection, to, waiting);
  connection.sql(`DELETE FROM ${from.table} WHERE ${from.where}`).run(...from.values);
}

export function readRecords(connection: Connection, id: ObjectId): Map<string, Uint8Array> {
  const ref = findRow(connection, id);
  return ref ? recordsOf(connection, storedOwner(id, ref.row)) : new Map();
}

function recordsOf(
  connection: Connection,
  { table, where, values, subject }: RecordOwner,
): Map<string, Uint8Array> {
  const rows = connection
    .sql(`SELECT key, hash, value FROM ${table} WHERE ${where} ORDER BY key`)
    .all(...values) as unknown as RecordRow[];
  const wrong = rows.find((row) => !isSound(row, subject));
  if (wrong)
    throw new CheckpointError("corrupt", recordDamage(wrong.key, subject).what, {
      hint: "checkpoint verify",
    });
  return new Map(rows.map(({ key, value }) => [key, value]));
}

/** What `verify` says of records: those whose bytes are not the ones that were attached. */
export function damagedRecords(connection: Connection): Damage[] {
  const rows = connection
    .sql(
      `SELECT lower(hex(ids.hash)) AS subject, key, records.hash AS hash, value FROM records LEFT JOIN ids USING (object)
       UNION ALL SELECT json_array(name, foreign_id), key, hash, value
       FROM early_records LEFT JOIN trails ON trails.id = early_records.trail`,
    )
    .all() as unknown as (RecordRow & { readonly subject: string | null })[];
  return rows
    .filter(({ subject, ...row }) => !isSound(row, subject ?? ""))
    .map(({ subject, key }) => recordDamage(key, subject ?? "?"));
}

/** In a damaged file a column may hold anything. */
function isSound({ key, hash, value }: RecordRow, subject: string): boolean {
  return value instanceof Uint8Array && Buffer.from(hash).equals(recordHash(subject, key, value));
}

/** Covers what the record belongs to, its key and its value, so that none can pass for another. Half, as for ids. */
export function recordHash(subject: string, key: string, value: Uint8Array): Uint8Array {
  const hash = createHash("sha256")
    .update(`${subject}\n${JSON.stringify(key)}\n`)
    .update(value);
  return hash.digest().subarray(0, 16);
}
