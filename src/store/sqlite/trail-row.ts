import type { ObjectId } from "../../objects/object-id.ts";
import type { Connection } from "./connection.ts";
import { hexId } from "./object-rows.ts";

export interface TrailRow {
  readonly id: number;
  readonly head: ObjectId | undefined;
  readonly isRemoved: boolean;
}

/** The row of a trail, made if there is none. Runs inside a write transaction. */
export function trailRow(connection: Connection, name: string): TrailRow {
  const found = connection.sql("SELECT id, head, removed FROM trails WHERE name = ?").get(name) as
    | { id: number; head: Uint8Array | null; removed: number }
    | undefined;
  if (found)
    return { id: found.id, head: found.head ? hexId(found.head) : undefined, isRemoved: found.removed === 1 };
  const { lastInsertRowid } = connection.sql("INSERT INTO trails(name, removed) VALUES (?, 0)").run(name);
  return { id: Number(lastInsertRowid), head: undefined, isRemoved: false };
}
