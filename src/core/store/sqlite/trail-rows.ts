import { CheckpointError } from "../../errors.ts";
import type { ObjectId } from "../../objects/object-id.ts";
import type { StoredTrail, TrailQuery } from "../contract.ts";
import { HIDDEN_PREFIX } from "../hidden-trails.ts";
import { sqlLimit, type Connection } from "./connection.ts";
import { hexId } from "./object-rows.ts";

export interface TrailRow {
  readonly id: number;
  readonly head: ObjectId | undefined;
  readonly isRemoved: boolean;
}

function findTrail(connection: Connection, name: string): TrailRow | undefined {
  const found = connection.sql("SELECT id, head, removed FROM trails WHERE name = ?").get(name) as
    | { id: number; head: Uint8Array | null; removed: number }
    | undefined;
  return (
    found && {
      id: found.id,
      head: found.head ? hexId(found.head) : undefined,
      isRemoved: found.removed === 1,
    }
  );
}

/** The row of a trail, made if there is none. Runs inside a write transaction. */
export function trailRow(connection: Connection, name: string): TrailRow {
  const found = findTrail(connection, name);
  if (found) return found;
  const { lastInsertRowid } = connection.sql("INSERT INTO trails(name, removed) VALUES (?, 0)").run(name);
  return { id: Number(lastInsertRowid), head: undefined, isRemoved: false };
}

export function readHead(connection: Connection, trail: string): ObjectId | undefined {
  const found = findTrail(connection, trail);
  if (found) return found.head;
  // A damaged index must not make a trail look new: then somebody would start afresh.
  const unindexed = connection.sql("SELECT 1 FROM trails NOT INDEXED WHERE name = ?").get(trail);
  if (unindexed === undefined) return undefined;
  throw new CheckpointError("corrupt", `The index of trails is damaged: "${trail}" is missing in it.`, {
    hint: "checkpoint verify",
  });
}

export function readTrails(connection: Connection, { prefix = "", limit }: TrailQuery = {}): StoredTrail[] {
  const rows = connection
    .sql(
      `SELECT name, head FROM trails LEFT JOIN ids ON ids.hash = substr(head, 1, 16)
       LEFT JOIN checkpoints ON checkpoints.object = ids.object AND checkpoints.trail = trails.id
       WHERE head IS NOT NULL AND substr(name, 1, length(?1)) = ?1
       AND (?1 <> '' OR substr(name, 1, 1) <> ?2) ORDER BY sequence DESC LIMIT ?3`,
    )
    .all(prefix, HIDDEN_PREFIX, sqlLimit(limit)) as unknown as { name: string; head: Uint8Array }[];
  return rows.map(({ name, head }) => ({ name, head: hexId(head) }));
}
