import type { ObjectId } from "../../../core/objects/object-id.ts";
import type { CheckpointQuery, Store, StoredCheckpoint, Tombstone } from "../../../core/store/contract.ts";
import { findConditions, findOrder, type SqlCondition } from "../../../core/store/find-conditions.ts";
import { HIDDEN_PREFIX } from "../../../core/store/hidden-trails.ts";
import { noSuchCheckpoint, prunedCheckpoint } from "../../../core/store/refusals.ts";
import { limitOf, type Query } from "./database.ts";
import { bytesOf, idOf, optionalId, readRows, rebuild } from "./object-rows.ts";
import { readRecords } from "./records.ts";

const FROM = "FROM @checkpoints AS c JOIN @trails AS t ON t.id = c.trail";
const SELECT = `SELECT sequence, c.id, t.name AS trail, parent, created AS "createdAt", foreign_id ${FROM}`;

/** What checkpoints and tombstones share. */
type StoredRow = Pick<Tombstone, "trail" | "createdAt"> & { readonly parent: Uint8Array | null };
type CheckpointRow = StoredRow & {
  readonly id: Uint8Array;
  readonly sequence: string;
  readonly foreign_id: string | null;
};

/** What a store tells of checkpoints and trails. */
export function checkpointsIn(query: Query): Reads {
  return {
    async head(trail) {
      const sql = "SELECT head FROM @trails WHERE name = $1";
      const [row] = await query<{ head: Uint8Array | null }>(sql, [trail]);
      return optionalId(row?.head);
    },

    async history(trail, { limit = Infinity, before, skip = 0 } = {}) {
      const last = before === undefined ? Number.MAX_SAFE_INTEGER : await sequenceOf(query, trail, before);
      return findWhere(query, { trail, limit, newestFirst: true }, [["sequence < ?", last]], skip);
    },

    async count(trail, { afterSequence = 0 } = {}) {
      const sql = `SELECT count(*)::int AS found ${FROM} WHERE t.name = $1 AND sequence > $2`;
      const [row] = await query<{ found: number }>(sql, [trail, afterSequence]);
      return row?.found ?? 0;
    },

    // A commit with a lower number may land after one with a higher number. So a follower is told nothing above the number
    // that was reached when every commit before it was over: otherwise it would miss the late one. Without news nobody is
    // kept waiting.
    async find(asked) {
      const found = await findWhere(query, asked);
      if (asked.afterSequence === undefined || found.length === 0) return found;
      const [boundary] = await query<{ sequence: string }>("SELECT sequence FROM @boundary()");
      return findWhere(query, asked, [["sequence <= ?", boundary?.sequence ?? ""]]);
    },

    async trails({ prefix = "", limit } = {}) {
      const rows = await query<{ name: string; head: Uint8Array }>(
        `SELECT name, head FROM @trails AS t LEFT JOIN @checkpoints AS c ON c.id = head AND c.trail = t.id
         WHERE head IS NOT NULL AND starts_with(name, $1) AND ($1 <> '' OR left(name, 1) <> $2)
         ORDER BY sequence DESC LIMIT $3`,
        [prefix, HIDDEN_PREFIX, limitOf(limit)],
      );
      return rows.map(({ name, head }) => ({ name, head: idOf(head) }));
    },

    // Through those that were removed.
    async lineage(checkpoint, { limit = Infinity } = {}) {
      const rest = `JOIN line ON line.id = c.id
        WHERE sequence = (SELECT min(sequence) FROM @checkpoints WHERE id = line.id) ORDER BY step LIMIT $2`;
      const line = await select(query, rest, [bytesOf(checkpoint), limitOf(limit)], ANCESTORS);
      const ids = line.map(({ id }) => id);
      const records = await readRecords(query, ids);
      return line.map((stored) => ({ ...stored, records: records.get(stored.id) ?? new Map() }));
    },

    tombstone: (id) => readTombstone(query, id),
  };
}

type Reads = Pick<Store, "head" | "history" | "count" | "find" | "trails" | "lineage" | "tombstone">;

const ANCESTORS = `WITH RECURSIVE line AS (
  SELECT $1::bytea AS id, 1 AS step
  UNION ALL SELECT coalesce(
      (SELECT parent FROM @checkpoints WHERE id = line.id ORDER BY sequence LIMIT 1),
      (SELECT parent FROM @tombstones WHERE id = line.id)
    ), step + 1 FROM line WHERE line.id IS NOT NULL
)`;

async function readTombstone(query: Query, id: ObjectId): Promise<Tombstone | undefined> {
  const sql = `SELECT parent, trail, created AS "createdAt" FROM @tombstones WHERE id = $1`;
  const [row] = await query<StoredRow>(sql, [bytesOf(id)]);
  return row && { ...row, id, parent: optionalId(row.parent) };
}

async function sequenceOf(query: Query, trail: string, id: ObjectId): Promise<number> {
  const rest = "WHERE c.id = $1 ORDER BY t.name = $2 DESC, sequence DESC LIMIT 1";
  const [found] = await select(query, rest, [bytesOf(id), trail]);
  if (found) return found.sequence;
  throw (await readTombstone(query, id)) ? prunedCheckpoint(id) : noSuchCheckpoint(id);
}

async function findWhere(query: Query, asked: CheckpointQuery, more: readonly SqlCondition[] = [], skip = 0) {
  const { idPrefix = "" } = asked;
  if (!/^[0-9a-f]{0,64}$/.test(idPrefix)) return [];
  const bound = (digit: string) => Buffer.from(idPrefix.padEnd(64, digit), "hex");
  const conditions = [...findConditions(asked), ...more];
  if (idPrefix !== "") conditions.push(["c.id >= ?", bound("0")], ["c.id <= ?", bound("f")]);
  const where = conditions.map(([sql], at) => sql.replace("?", `$${at + 1}`)).join(" AND ");
  const values = [...conditions.map(([, value]) => value), limitOf(asked.limit), skip];
  const rest = `WHERE ${where} ${findOrder(asked)} LIMIT $${values.length - 1} OFFSET $${values.length}`;
  return select(query, rest, values);
}

/** A damaged one keeps its name and is handed out as it is: the caller finds that it does not match. */
async function select(query: Query, rest: string, values: readonly unknown[], first = "") {
  const rows = await query<CheckpointRow>(`${first} ${SELECT} ${rest}`, values);
  const ids = rows.map(({ id }) => idOf(id));
  const objects = await readRows(query, ids);
  return rows.map(({ foreign_id, ...row }, at): StoredCheckpoint => {
    const id = ids[at] as ObjectId;
    const bytes = Uint8Array.from(rebuild(id, objects) ?? []);
    const [parent, sequence] = [optionalId(row.parent), Number(row.sequence)];
    return { ...row, id, bytes, parent, sequence, foreignId: foreign_id ?? undefined };
  });
}
