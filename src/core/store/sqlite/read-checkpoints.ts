import type { ObjectId } from "../../objects/object-id.ts";
import type { CheckpointQuery, Descended, Page, StoredCheckpoint, Tombstone } from "../contract.ts";
import { findConditions, findOrder } from "../find-conditions.ts";
import { noSuchCheckpoint, prunedCheckpoint } from "../refusals.ts";
import { sqlLimit, type Connection } from "./connection.ts";
import { fullIds, selectRows, WITH_ID, type CheckpointRow } from "./checkpoint-rows.ts";
import { hexId, keyOf, readSound } from "./object-rows.ts";
import { readRecords } from "./records.ts";

export function readHistory(
  connection: Connection,
  trail: string,
  { limit, before, skip = 0 }: Page,
): StoredCheckpoint[] {
  const last = before === undefined ? Number.MAX_SAFE_INTEGER : sequenceOf(connection, trail, before);
  const rest = "WHERE trails.name = ? AND sequence < ? ORDER BY sequence DESC LIMIT ? OFFSET ?";
  return loadRows(connection, selectRows(connection, rest, trail, last, sqlLimit(limit), skip));
}

export function countCheckpoints(connection: Connection, trail: string, afterSequence: number): number {
  const row = connection
    .sql(
      "SELECT count(*) AS found FROM checkpoints WHERE trail = (SELECT id FROM trails WHERE name = ?) AND sequence > ?",
    )
    .get(trail, afterSequence) as { found: number };
  return row.found;
}

function sequenceOf(connection: Connection, trail: string, id: ObjectId): number {
  const rest = "JOIN ids USING (object) WHERE hash = ? ORDER BY trails.name = ? DESC, sequence DESC LIMIT 1";
  const [found] = selectRows(connection, rest, keyOf(id), trail);
  if (found) return found.sequence;
  throw readTombstone(connection, id) ? prunedCheckpoint(id) : noSuchCheckpoint(id);
}

export function findCheckpoints(connection: Connection, query: CheckpointQuery): StoredCheckpoint[] {
  const { idPrefix = "" } = query;
  const half = (digit: string) => Buffer.from(idPrefix.slice(0, 32).padEnd(32, digit), "hex");
  const inRange = "checkpoints.object IN (SELECT object FROM ids WHERE hash BETWEEN ? AND ?)";
  const conditions = findConditions(query);
  const where = [...conditions.map(([sql]) => sql), ...(idPrefix === "" ? [] : [inRange])].join(" AND ");
  const values = [
    ...conditions.map(([, value]) => value),
    ...(idPrefix === "" ? [] : [half("0"), half("f")]),
  ];
  const rest = `WHERE ${where} ${findOrder(query)} LIMIT ?`;
  const rows = selectRows(connection, rest, ...values, sqlLimit(query.limit));
  // Of a damaged one only half the id may be known.
  return loadRows(connection, rows).filter(({ id }) => id.startsWith(idPrefix) || idPrefix.startsWith(id));
}

function loadRows(connection: Connection, rows: readonly CheckpointRow[]): StoredCheckpoint[] {
  const memo = new Map<number, Uint8Array>();
  let names: Map<string, ObjectId> | undefined;
  const named = () => (names ??= fullIds(rows));
  return rows.map(({ sequence, object, key, trail, parent, created, foreign_id }) => {
    const half = hexId(key);
    const sound = readSound(connection, object, half, memo);
    return {
      // A damaged one keeps its name and is handed out empty: the caller finds that it does not match.
      id: sound?.id ?? named().get(half) ?? half,
      bytes: sound?.bytes ?? new Uint8Array(),
      trail,
      parent: parent ? hexId(parent) : undefined,
      createdAt: created,
      sequence,
      foreignId: foreign_id ?? undefined,
    };
  });
}

/** A checkpoint and its ancestors, through those that were removed. */
export function readLineage(connection: Connection, id: ObjectId, limit: number): Descended[] {
  const line: Descended[] = [];
  for (let at: ObjectId | undefined = id; at !== undefined && line.length < limit;) {
    const [stored] = loadRows(connection, selectRows(connection, `WHERE ${WITH_ID} LIMIT 1`, keyOf(at)));
    if (stored) line.push({ ...stored, records: readRecords(connection, at) });
    at = (stored ?? readTombstone(connection, at))?.parent;
  }
  return line;
}

export function readTombstone(connection: Connection, id: ObjectId): Tombstone | undefined {
  const row = connection
    .sql("SELECT parent, trail, created FROM tombstones WHERE hash = ?")
    .get(Buffer.from(id, "hex")) as { parent: Uint8Array | null; trail: string; created: number } | undefined;
  if (row === undefined) return undefined;
  return { id, parent: row.parent ? hexId(row.parent) : undefined, trail: row.trail, createdAt: row.created };
}
