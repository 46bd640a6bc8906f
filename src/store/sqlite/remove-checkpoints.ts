import type { Removal, RemovalResult } from "../contract.ts";
import { isHidden } from "../hidden-trails.ts";
import { PIN_PREFIX, planRemoval, type Place } from "../removal-plan.ts";
import type { Connection } from "./connection.ts";
import { raiseCounter } from "./counters.ts";
import { readTombstone } from "./read-checkpoints.ts";
import { checkpointIds, type CheckpointPlace } from "./checkpoint-ids.ts";

interface RemovalPlace extends Place {
  readonly row: CheckpointPlace;
}

/** Turns checkpoints into tombstones. Runs inside a write transaction, where what must stay is looked up anew. */
export function removeCheckpoints(
  connection: Connection,
  { checkpoints = [], trails = [] }: Removal,
): RemovalResult {
  const rows = checkpointIds(connection);
  const all = rows.map((row): RemovalPlace => ({ id: row.id, trail: row.trail, parent: row.parent, row }));
  const asked = new Set(checkpoints);
  const doomed = new Set(trails);
  const candidates = new Set(
    all.filter(({ id, trail }) => (asked.has(id) && !isHidden(trail)) || doomed.has(trail)),
  );
  const pinnedObjects = pinnedRows(connection);
  const pinned = new Set(rows.filter(({ object }) => pinnedObjects.has(object)).map(({ id }) => id));
  const { removed, kept } = planRemoval(all, candidates, {
    isHead: (place) => (place as RemovalPlace).row.isHead && !doomed.has(place.trail),
    isPinned: (id) => pinned.has(id),
    parentOfRemoved: (id) => readTombstone(connection, id)?.parent,
  });
  for (const { row } of removed) bury(connection, row);
  for (const trail of trails) connection.sql("UPDATE trails SET head = NULL WHERE name = ?").run(trail);
  const found = new Set(all.map(({ id }) => id));
  const unknown = [...asked]
    .filter((id) => !found.has(id))
    .map((id) => ({ id, reason: "not found" as const }));
  return { removed: [...new Set(removed.map(({ id }) => id))], kept: [...kept, ...unknown] };
}

function pinnedRows(connection: Connection): Set<number> {
  const rows = connection
    .sql("SELECT DISTINCT object FROM records WHERE substr(key, 1, length(?1)) = ?1")
    .all(PIN_PREFIX) as unknown as { object: number }[];
  return new Set(rows.map(({ object }) => object));
}

function bury(
  connection: Connection,
  { sequence, id, object, trail, trailId, parent, created }: CheckpointPlace,
): void {
  connection.sql("DELETE FROM checkpoints WHERE sequence = ?").run(sequence);
  connection.sql("DELETE FROM foreign_ids WHERE trail = ? AND object = ?").run(trailId, object);
  raiseCounter(connection, "last_sequence", sequence);
  // The same checkpoint may still stand in another trail.
  if (connection.sql("SELECT 1 FROM checkpoints WHERE object = ?").get(object)) return;
  connection.sql("DELETE FROM records WHERE object = ?").run(object);
  if (isHidden(trail)) return;
  connection
    .sql("INSERT OR REPLACE INTO tombstones(hash, parent, trail, created) VALUES (?, ?, ?, ?)")
    .run(Buffer.from(id, "hex"), parent === undefined ? null : Buffer.from(parent, "hex"), trail, created);
}
