import type { ObjectId } from "../../objects/object-id.ts";
import type {
  CheckpointQuery,
  Descended,
  Page,
  StoredCheckpoint,
  StoredTrail,
  Tombstone,
} from "../contract.ts";
import { findConditions, findOrder } from "../find-conditions.ts";
import { HIDDEN_PREFIX } from "../hidden-trails.ts";
import { noSuchCheckpoint, prunedCheckpoint } from "../refusals.ts";
import { limitOf, type Query } from "./database.ts";
import { bytesOf, idOf, optionalId, readRows, rebuild } from "./object-rows.ts";
import { readRecords } from "./records.ts";

interface CheckpointRow {
  readonly sequence: string;
  readonly id: Uint8Array;
  readonly trail: string;
  readonly parent: Uint8Array | null;
  readonly created: number;
  readonly foreign_id: string | null;
}

const SELECT = `SELECT sequence, c.id, t.name AS trail, parent, created, foreign_id
  FROM @checkpoints AS c JOIN @trails AS t ON t.id = c.trail`;

export async function readHistory(
  query: Query,
  trail: string,
  { limit, before, skip = 0 }: Page,
): Promise<StoredCheckpoint[]> {
  const last = before === undefined ? Number.MAX_SAFE_INTEGER : await sequenceOf(query, trail, before);
  const rows = await query<CheckpointRow>(
    `${SELECT} WHERE t.name = $1 AND sequence < $2 ORDER BY sequence DESC LIMIT $3 OFFSET $4`,
    [trail, last, limitOf(limit), skip],
  );
  return withBytes(query, rows);
}

export async function countCheckpoints(query: Query, trail: string, afterSequence: number): Promise<number> {
  const [row] = await query<{ found: string }>(
    `SELECT count(*) AS found FROM @checkpoints AS c JOIN @trails AS t ON t.id = c.trail
     WHERE t.name = $1 AND sequence > $2`,
    [trail, afterSequence],
  );
  return Number(row?.found ?? 0);
}

async function sequenceOf(query: Query, trail: string, id: ObjectId): Promise<number> {
  const [found] = await query<{ sequence: string }>(
    `${SELECT} WHERE c.id = $1 ORDER BY t.name = $2 DESC, sequence DESC LIMIT 1`,
    [bytesOf(id), trail],
  );
  if (found) return Number(found.sequence);
  throw (await readTombstone(query, id)) ? prunedCheckpoint(id) : noSuchCheckpoint(id);
}

/**
 * A commit with a lower number may land after one with a higher number. So a follower is told nothing above the number that
 * was reached when every commit before it was over: otherwise it would miss the late one. Without news nobody is kept waiting.
 */
export async function findCheckpoints(query: Query, asked: CheckpointQuery): Promise<StoredCheckpoint[]> {
  const rows = await query<CheckpointRow>(...whereOf(asked));
  if (asked.afterSequence === undefined || rows.length === 0) return withBytes(query, rows);
  const [boundary] = await query<{ sequence: string }>("SELECT sequence FROM @boundary()");
  return withBytes(query, await query<CheckpointRow>(...whereOf(asked, Number(boundary?.sequence))));
}

function whereOf(asked: CheckpointQuery, upTo?: number): [text: string, values: unknown[]] {
  const { idPrefix = "" } = asked;
  const isHex = /^[0-9a-f]{0,64}$/.test(idPrefix);
  const padded = (digit: string) => Buffer.from((isHex ? idPrefix : "").padEnd(64, digit), "hex");
  const conditions = findConditions(asked);
  if (upTo !== undefined) conditions.push(["sequence <= ?", upTo]);
  if (idPrefix !== "") conditions.push(["c.id >= ?", padded("0")], ["c.id <= ?", padded("f")]);
  const where = conditions.map(([sql], at) => sql.replace("?", `$${at + 1}`)).join(" AND ");
  const limit = `LIMIT $${conditions.length + 1}`;
  return [
    `${SELECT} WHERE ${isHex} AND ${where} ${findOrder(asked)} ${limit}`,
    [...conditions.map(([, value]) => value), limitOf(asked.limit)],
  ];
}

/** A damaged one keeps its name and is handed out as it is: the caller finds that it does not match. */
async function withBytes(query: Query, rows: readonly CheckpointRow[]): Promise<StoredCheckpoint[]> {
  if (rows.length === 0) return [];
  const objects = await readRows(
    query,
    rows.map(({ id }) => idOf(id)),
  );
  return rows.map((row) => ({
    id: idOf(row.id),
    bytes: Uint8Array.from(rebuild(idOf(row.id), objects) ?? []),
    trail: row.trail,
    parent: optionalId(row.parent),
    createdAt: row.created,
    sequence: Number(row.sequence),
    foreignId: row.foreign_id ?? undefined,
  }));
}

/** A checkpoint and its ancestors, through those that were removed. */
export async function readLineage(query: Query, id: ObjectId, limit: number): Promise<Descended[]> {
  const rows = await query<CheckpointRow>(
    `WITH RECURSIVE line AS (
       SELECT $1::bytea AS id, 1 AS step
       UNION ALL SELECT coalesce(
           (SELECT parent FROM @checkpoints WHERE id = line.id ORDER BY sequence LIMIT 1),
           (SELECT parent FROM @tombstones WHERE id = line.id)
         ), step + 1 FROM line WHERE line.id IS NOT NULL
     ) ${SELECT} JOIN line ON line.id = c.id
     WHERE sequence = (SELECT min(sequence) FROM @checkpoints WHERE id = line.id) ORDER BY step LIMIT $2`,
    [bytesOf(id), limitOf(limit)],
  );
  const records = await readRecords(
    query,
    rows.map((row) => idOf(row.id)),
  );
  const line = await withBytes(query, rows);
  return line.map((stored) => ({ ...stored, records: records.get(stored.id) ?? new Map() }));
}

export async function readHead(query: Query, trail: string): Promise<ObjectId | undefined> {
  const [row] = await query<{ head: Uint8Array | null }>("SELECT head FROM @trails WHERE name = $1", [trail]);
  return optionalId(row?.head ?? null);
}

export async function readTrails(query: Query, prefix: string): Promise<StoredTrail[]> {
  const rows = await query<{ name: string; head: Uint8Array }>(
    `SELECT name, head FROM @trails AS t LEFT JOIN @checkpoints AS c ON c.id = head AND c.trail = t.id
     WHERE head IS NOT NULL AND starts_with(name, $1) AND ($1 <> '' OR left(name, 1) <> $2) ORDER BY sequence DESC`,
    [prefix, HIDDEN_PREFIX],
  );
  return rows.map(({ name, head }) => ({ name, head: idOf(head) }));
}

export async function readTombstone(query: Query, id: ObjectId): Promise<Tombstone | undefined> {
  const [row] = await query<{ parent: Uint8Array | null; trail: string; created: number }>(
    "SELECT parent, trail, created FROM @tombstones WHERE id = $1",
    [bytesOf(id)],
  );
  return row && { id, parent: optionalId(row.parent), trail: row.trail, createdAt: row.created };
}
