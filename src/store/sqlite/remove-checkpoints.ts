import type { ObjectId } from "../../objects/object-id.ts";
import type { Removal, RemovalResult } from "../contract.ts";
import type { Connection } from "./connection.ts";
import { findRow } from "./object-rows.ts";
import { hexId, readHistory } from "./read-checkpoints.ts";

interface Row {
  readonly trail: number;
  readonly name: string;
  readonly object: number;
  readonly parent: Uint8Array | null;
  readonly created: number;
}

type Kept = RemovalResult["kept"][number];

/** Turns checkpoints into tombstones. Runs inside a write transaction, where what must stay is looked up anew. */
export function removeCheckpoints(connection: Connection, removal: Removal): RemovalResult {
  const trails = new Set(removal.trails ?? []);
  const wanted = wantedIds(connection, removal);
  const pinned = forkPoints(connection, trails, wanted);
  for (const name of trails) connection.sql("UPDATE trails SET head = NULL WHERE name = ?").run(name);

  const removed: ObjectId[] = [];
  const kept: Kept[] = [];
  for (const id of wanted) {
    const row = rowOf(connection, id);
    const reason = row === undefined ? "not found" : reasonToStay(connection, id, row, pinned);
    if (reason !== undefined) kept.push({ id, reason });
    else {
      bury(connection, id, row as Row);
      removed.push(id);
    }
  }
  for (const name of trails) {
    connection
      .sql("DELETE FROM trails WHERE name = ? AND NOT EXISTS (SELECT 1 FROM checkpoints WHERE trail = trails.id)")
      .run(name);
  }
  return { removed, kept };
}

function wantedIds(connection: Connection, { checkpoints = [], trails = [] }: Removal): Set<ObjectId> {
  const ofTrails = trails.flatMap((trail) => readHistory(connection, trail, {}));
  return new Set([...checkpoints, ...ofTrails.map(({ id }) => id)]);
}

/** Parents of checkpoints in other trails that are not removed themselves. */
function forkPoints(connection: Connection, trails: ReadonlySet<string>, wanted: ReadonlySet<ObjectId>): Set<string> {
  const points = new Set<string>();
  const rows = connection
    .sql("SELECT parent, trail, name FROM checkpoints JOIN trails ON trails.id = trail WHERE parent IS NOT NULL")
    .all() as unknown as { parent: Uint8Array; trail: number; name: string }[];
  for (const { parent, trail, name } of rows) {
    const id = hexId(parent);
    if (!wanted.has(id) || trails.has(name)) continue;
    const row = rowOf(connection, id);
    if (row && row.trail !== trail) points.add(id);
  }
  return points;
}

function reasonToStay(connection: Connection, id: ObjectId, row: Row, forks: ReadonlySet<string>): Kept["reason"] | undefined {
  const { head } = connection.sql("SELECT head FROM trails WHERE id = ?").get(row.trail) as { head: Uint8Array | null };
  if (head && hexId(head) === id) return "head";
  if (forks.has(id)) return "fork point";
  const pin = connection.sql("SELECT 1 FROM records WHERE object = ? AND key >= 'pin/' AND key < 'pin0' LIMIT 1");
  return pin.get(row.object) ? "pinned" : undefined;
}

function bury(connection: Connection, id: ObjectId, { trail, name, object, parent, created }: Row): void {
  connection
    .sql("INSERT OR REPLACE INTO tombstones(hash, parent, trail, created) VALUES (?, ?, ?, ?)")
    .run(Buffer.from(id, "hex"), parent, name, created);
  connection.sql("DELETE FROM checkpoints WHERE object = ?").run(object);
  connection.sql("DELETE FROM foreign_ids WHERE trail = ? AND object = ?").run(trail, object);
  connection.sql("DELETE FROM records WHERE object = ?").run(object);
}

function rowOf(connection: Connection, id: ObjectId): Row | undefined {
  const ref = findRow(connection, id);
  if (ref === undefined) return undefined;
  return connection
    .sql(
      `SELECT trail, name, checkpoints.object AS object, parent, created FROM checkpoints
       JOIN trails ON trails.id = trail WHERE checkpoints.object = ?`,
    )
    .get(ref.row) as Row | undefined;
}
