import { objectIdOf, type ObjectId } from "../../objects/object-id.ts";
import type {
  CheckpointQuery,
  Descended,
  Page,
  StoredCheckpoint,
  StoredTrail,
  Tombstone,
} from "../contract.ts";
import { damagedObject } from "../../objects/read-tree.ts";
import { CheckpointError } from "../../errors.ts";
import { HIDDEN_PREFIX } from "../hidden-trails.ts";
import { noSuchCheckpoint, prunedCheckpoint } from "../refusals.ts";
import type { Connection } from "./connection.ts";
import { hexId, keyOf, readObject, unpack } from "./object-rows.ts";
import { readRecords } from "./records.ts";

interface CheckpointRow {
  readonly sequence: number;
  readonly object: number;
  readonly key: Uint8Array;
  readonly trail: string;
  readonly head: Uint8Array | null;
  readonly parent: Uint8Array | null;
  readonly created: number;
  readonly foreign_id: string | null;
}

const COLUMNS = `sequence, checkpoints.object AS object, checkpoints.key AS key, trails.name AS trail, head, parent,
  created, foreign_id`;
const TABLES = "checkpoints JOIN trails ON trails.id = checkpoints.trail";

export function readHead(connection: Connection, trail: string): ObjectId | undefined {
  const row = connection.sql("SELECT head FROM trails WHERE name = ?").get(trail) as
    | { head: Uint8Array | null }
    | undefined;
  if (row) return row.head ? hexId(row.head) : undefined;
  // A damaged index must not make a trail look new: then somebody would start afresh.
  const unindexed = connection.sql("SELECT 1 FROM trails NOT INDEXED WHERE name = ?").get(trail);
  if (unindexed === undefined) return undefined;
  throw new CheckpointError("corrupt", `The index of trails is damaged: "${trail}" is missing in it.`, {
    hint: "checkpoint verify",
  });
}

export function readHistory(
  connection: Connection,
  trail: string,
  { limit = -1, before }: Page,
): StoredCheckpoint[] {
  const last = before === undefined ? Number.MAX_SAFE_INTEGER : sequenceOf(connection, trail, before);
  const rows = connection
    .sql(
      `SELECT ${COLUMNS} FROM ${TABLES} WHERE trails.name = ? AND sequence < ? ORDER BY sequence DESC LIMIT ?`,
    )
    .all(trail, last, limit) as unknown as CheckpointRow[];
  return loadRows(connection, rows);
}

function sequenceOf(connection: Connection, trail: string, id: ObjectId): number {
  const found = connection
    .sql(
      `SELECT sequence FROM ${TABLES} JOIN ids USING (object) WHERE hash = ? ORDER BY trails.name = ? DESC, sequence DESC`,
    )
    .get(keyOf(id), trail) as { sequence: number } | undefined;
  if (found) return found.sequence;
  throw readTombstone(connection, id) ? prunedCheckpoint(id) : noSuchCheckpoint(id);
}

export function findCheckpoints(connection: Connection, query: CheckpointQuery): StoredCheckpoint[] {
  const conditions = ["1"];
  const values: (string | number | Uint8Array)[] = [];
  const where = (condition: string, ...bound: (string | number | Uint8Array)[]) => {
    conditions.push(condition);
    values.push(...bound);
  };
  if (query.trail !== undefined) where("trails.name = ?", query.trail);
  else where("substr(trails.name, 1, 1) <> ?", HIDDEN_PREFIX);
  if (query.createdFrom !== undefined) where("created >= ?", query.createdFrom);
  if (query.createdTo !== undefined) where("created <= ?", query.createdTo);
  if (query.afterSequence !== undefined) where("sequence > ?", query.afterSequence);
  if (query.foreignId !== undefined) where("foreign_id = ?", query.foreignId);
  if (query.byForeignId) where("foreign_id IS NOT NULL");
  if (query.byForeignId?.before !== undefined) where("foreign_id < ?", query.byForeignId.before);
  if (query.idPrefix !== undefined) {
    const prefix = query.idPrefix.slice(0, 32);
    const [low, high] = ["0", "f"].map((digit) => Buffer.from(prefix.padEnd(32, digit), "hex")) as [
      Buffer,
      Buffer,
    ];
    where("checkpoints.object IN (SELECT object FROM ids WHERE hash BETWEEN ? AND ?)", low, high);
  }
  const rows = connection
    .sql(
      `SELECT ${COLUMNS} FROM ${TABLES} WHERE ${conditions.join(" AND ")}
       ORDER BY ${query.byForeignId ? "foreign_id" : "sequence"} ${query.newestFirst ? "DESC" : "ASC"} LIMIT ?`,
    )
    .all(...values, query.limit ?? -1) as unknown as CheckpointRow[];
  const { idPrefix = "" } = query;
  // Of a damaged one only half the id may be known.
  return loadRows(connection, rows).filter(({ id }) => id.startsWith(idPrefix) || idPrefix.startsWith(id));
}

function loadRows(connection: Connection, rows: readonly CheckpointRow[]): StoredCheckpoint[] {
  const memo = new Map<number, Uint8Array>();
  let names: Map<number, ObjectId> | undefined;
  const named = () => (names ??= namedRows(connection, rows));
  return rows.map(({ sequence, object, key, trail, parent, created, foreign_id }) => {
    const half = hexId(key);
    const bytes = unpack(connection, object, memo);
    const id = bytes && objectIdOf(bytes);
    const isSound = id?.startsWith(half);
    return {
      // A damaged one keeps its name and is handed out empty: the caller finds that it does not match.
      id: isSound ? id : (named().get(object) ?? half),
      bytes: isSound ? bytes : new Uint8Array(),
      trail,
      parent: parent ? hexId(parent) : undefined,
      createdAt: created,
      sequence,
      foreignId: foreign_id ?? undefined,
    };
  }) as StoredCheckpoint[];
}

/** A checkpoint and its ancestors, through those that were removed. */
export function readLineage(connection: Connection, id: ObjectId, limit: number): Descended[] {
  const line: Descended[] = [];
  for (let at: ObjectId | undefined = id; at !== undefined && line.length < limit;) {
    const rows = connection
      .sql(
        `SELECT ${COLUMNS} FROM ${TABLES} WHERE checkpoints.object = (SELECT object FROM ids WHERE hash = ?) LIMIT 1`,
      )
      .all(keyOf(at)) as unknown as CheckpointRow[];
    const [stored] = loadRows(connection, rows);
    if (stored) line.push({ ...stored, records: readRecords(connection, at) });
    at = (stored ?? readTombstone(connection, at))?.parent;
  }
  return line;
}

/** The ids by which heads and children name these rows: a damaged checkpoint must not pass as another one. */
function namedRows(connection: Connection, rows: readonly CheckpointRow[]): Map<number, ObjectId> {
  const names = new Set(
    rows.flatMap(({ head, parent }) => [head, parent]).flatMap((id) => (id ? [hexId(id)] : [])),
  );
  const named = new Map<number, ObjectId>();
  for (const id of names) {
    const row = rowOf(connection, id);
    if (row !== undefined) named.set(row, id);
  }
  return named;
}

function rowOf(connection: Connection, id: ObjectId): number | undefined {
  const found = connection.sql("SELECT object FROM ids WHERE hash = ?").get(keyOf(id)) as
    | { object: number }
    | undefined;
  return found?.object;
}

export function readTrails(connection: Connection, prefix: string): StoredTrail[] {
  const rows = connection
    .sql(
      `SELECT name, head FROM trails LEFT JOIN ids ON ids.hash = substr(head, 1, 16)
       LEFT JOIN checkpoints ON checkpoints.object = ids.object AND checkpoints.trail = trails.id
       WHERE head IS NOT NULL AND substr(name, 1, length(?1)) = ?1
       AND (?1 <> '' OR substr(name, 1, 1) <> ?2) ORDER BY sequence DESC`,
    )
    .all(prefix, HIDDEN_PREFIX) as unknown as { name: string; head: Uint8Array }[];
  return rows.map(({ name, head }) => ({ name, head: hexId(head) }));
}

export function readTombstone(connection: Connection, id: ObjectId): Tombstone | undefined {
  const row = connection
    .sql("SELECT parent, trail, created FROM tombstones WHERE hash = ?")
    .get(Buffer.from(id, "hex")) as { parent: Uint8Array | null; trail: string; created: number } | undefined;
  if (row === undefined) return undefined;
  return { id, parent: row.parent ? hexId(row.parent) : undefined, trail: row.trail, createdAt: row.created };
}

/** Objects by id; what is missing is left out, what cannot be unpacked is damaged. */
export function readObjectRows(connection: Connection, ids: readonly ObjectId[]): Map<ObjectId, Uint8Array> {
  const memo = new Map<number, Uint8Array>();
  const found = new Map<ObjectId, Uint8Array>();
  for (const id of ids) {
    const bytes = readObject(connection, id, memo);
    if (bytes === null) throw damagedObject(id);
    if (bytes !== undefined) found.set(id, bytes);
  }
  return found;
}
