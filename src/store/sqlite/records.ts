import { CheckpointError } from "../../errors.ts";
import type { ObjectId } from "../../objects/object-id.ts";
import type { Connection } from "./connection.ts";
import { findRow } from "./object-rows.ts";

/** Writes records of a checkpoint. Runs inside a write transaction. */
export function writeRecords(
  connection: Connection,
  id: ObjectId,
  records: ReadonlyMap<string, Uint8Array | null>,
): void {
  const object = checkpointRow(connection, id);
  if (object === undefined) {
    throw new CheckpointError("not-found", `There is no checkpoint ${id} to attach to.`, {
      hint: "checkpoint list",
    });
  }
  for (const [key, value] of records) {
    if (value === null) connection.sql("DELETE FROM records WHERE object = ? AND key = ?").run(object, key);
    else
      connection
        // Node 22 hands an empty array over as NULL.
        .sql("INSERT OR REPLACE INTO records(object, key, value) VALUES (?, ?, coalesce(?, x''))")
        .run(object, key, value);
  }
}

export function readRecords(connection: Connection, id: ObjectId): Map<string, Uint8Array> {
  const object = checkpointRow(connection, id);
  if (object === undefined) return new Map();
  const rows = connection
    .sql("SELECT key, value FROM records WHERE object = ? ORDER BY key")
    .all(object) as unknown as { key: string; value: Uint8Array }[];
  return new Map(rows.map(({ key, value }) => [key, value]));
}

function checkpointRow(connection: Connection, id: ObjectId): number | undefined {
  const ref = findRow(connection, id);
  return ref && connection.sql("SELECT object FROM checkpoints WHERE object = ?").get(ref.row)
    ? ref.row
    : undefined;
}
