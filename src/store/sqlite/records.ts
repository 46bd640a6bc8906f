import { createHash } from "node:crypto";

import { CheckpointError } from "../../errors.ts";
import type { ObjectId } from "../../objects/object-id.ts";
import type { Damage, ForeignName, Records } from "../contract.ts";
import { noSuchCheckpoint } from "../refusals.ts";
import { trailRow } from "./trail-row.ts";
import type { Connection } from "./connection.ts";
import { findRow } from "./object-rows.ts";

interface RecordRow {
  readonly key: string;
  readonly hash: Uint8Array;
  readonly value: Uint8Array;
}

/** Attaches records to a checkpoint, or keeps them for one that has not come yet. Runs inside a write transaction. */
export function attachRecords(
  connection: Connection,
  to: ObjectId | ForeignName,
  records: Records,
  ifAbsent: boolean,
): void {
  const options = { ifAbsent };
  if (typeof to === "string")
    return writeRecords(connection, to, checkpointRow(connection, to), records, options);
  const trail = trailRow(connection, to.trail).id;
  const named = connection
    .sql("SELECT hash, object FROM checkpoints JOIN ids USING (object) WHERE trail = ? AND foreign_id = ?")
    .get(trail, to.foreignId) as { hash: Uint8Array; object: number } | undefined;
  if (named) return writeRecords(connection, hex(named.hash), named.object, records, options);
  const values = "records(trail, foreign_id, key, hash, value) VALUES (?, ?, ?, ?, coalesce(?, x''))";
  for (const [key, value] of records) {
    if (value === null)
      connection
        .sql("DELETE FROM early_records WHERE trail = ? AND foreign_id = ? AND key = ?")
        .run(trail, to.foreignId, key);
    else
      connection
        .sql(`INSERT OR ${ifAbsent ? "IGNORE" : "REPLACE"} INTO early_${values}`)
        .run(trail, to.foreignId, key, recordHash(earlySubject(to), key, value), value);
  }
}

/** Writes records of the checkpoint in this row. */
export function writeRecords(
  connection: Connection,
  id: string,
  object: number,
  records: Records,
  { ifAbsent = false } = {},
): void {
  for (const [key, value] of records) {
    if (value === null) {
      if (!ifAbsent) connection.sql("DELETE FROM records WHERE object = ? AND key = ?").run(object, key);
      continue;
    }
    const or = ifAbsent ? "IGNORE" : "REPLACE";
    connection
      // Node 22 hands an empty array over as NULL.
      .sql(`INSERT OR ${or} INTO records(object, key, hash, value) VALUES (?, ?, ?, coalesce(?, x''))`)
      .run(object, key, recordHash(id.slice(0, 32), key, value), value);
  }
}

/** Gives a checkpoint that has just come the records that waited for it. */
export function takeEarlyRecords(
  connection: Connection,
  { trail, name, id, object }: { trail: number; name: ForeignName; id: ObjectId; object: number },
): void {
  const rows = connection
    .sql("SELECT key, hash, value FROM early_records WHERE trail = ? AND foreign_id = ?")
    .all(trail, name.foreignId) as unknown as RecordRow[];
  if (rows.length === 0) return;
  writeRecords(connection, id, object, checked(rows, earlySubject(name)));
  connection.sql("DELETE FROM early_records WHERE trail = ? AND foreign_id = ?").run(trail, name.foreignId);
}

export function readRecords(connection: Connection, id: ObjectId): Map<string, Uint8Array> {
  const ref = findRow(connection, id);
  if (ref === undefined) return new Map();
  const rows = connection
    .sql("SELECT key, hash, value FROM records WHERE object = ? ORDER BY key")
    .all(ref.row);
  return checked(rows as unknown as RecordRow[], id.slice(0, 32));
}

/** What `verify` says of records: those whose bytes are not the ones that were attached. */
export function recordDamage(connection: Connection): Damage[] {
  const rows = connection
    .sql(
      `SELECT lower(hex(ids.hash)) AS subject, key, records.hash AS hash, value FROM records LEFT JOIN ids USING (object)
       UNION ALL SELECT json_array(name, foreign_id), key, hash, value
       FROM early_records LEFT JOIN trails ON trails.id = early_records.trail`,
    )
    .all() as unknown as (RecordRow & { readonly subject: string | null })[];
  return rows
    .filter(({ subject, ...row }) => !isSound(row, subject ?? ""))
    .map(({ subject, key }) => ({ kind: "record", what: damagedWords(key, subject ?? "?"), costs: [] }));
}

function checkpointRow(connection: Connection, id: ObjectId): number {
  const ref = findRow(connection, id);
  const found = ref && connection.sql("SELECT object FROM checkpoints WHERE object = ?").get(ref.row);
  if (!found) throw noSuchCheckpoint(id);
  return ref.row;
}

function checked(rows: readonly RecordRow[], subject: string): Map<string, Uint8Array> {
  const wrong = rows.find((row) => !isSound(row, subject));
  if (wrong)
    throw new CheckpointError("corrupt", damagedWords(wrong.key, subject), { hint: "checkpoint verify" });
  return new Map(rows.map(({ key, value }) => [key, value]));
}

/** In a damaged file a column may hold anything. */
function isSound({ key, hash, value }: RecordRow, subject: string): boolean {
  return value instanceof Uint8Array && Buffer.from(hash).equals(recordHash(subject, key, value));
}

const damagedWords = (key: string, subject: string) => `The record "${key}" of ${subject} is damaged.`;

/** Covers what the record belongs to, its key and its value, so that none can pass for another. Half, as for ids. */
export function recordHash(subject: string, key: string, value: Uint8Array): Uint8Array {
  const hash = createHash("sha256")
    .update(`${subject}\n${JSON.stringify(key)}\n`)
    .update(value);
  return hash.digest().subarray(0, 16);
}

const earlySubject = ({ trail, foreignId }: ForeignName) => JSON.stringify([trail, foreignId]);

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");
