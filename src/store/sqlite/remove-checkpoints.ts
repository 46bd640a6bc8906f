import type { ObjectId } from "../../objects/object-id.ts";
import type { Removal, RemovalResult } from "../contract.ts";
import { HIDDEN_PREFIX, isHidden } from "../hidden-trails.ts";
import { PIN_PREFIX, planRemoval } from "../removal-plan.ts";
import { placesIn, WITH_ID, type CheckpointPlace } from "./checkpoint-rows.ts";
import type { Connection } from "./connection.ts";
import { raiseCounter } from "./counters.ts";
import { keyOf } from "./object-rows.ts";

/** Turns checkpoints into tombstones. Runs inside a write transaction, where what must stay is looked up again. */
export function removeCheckpoints(
  connection: Connection,
  { checkpoints = [], trails = [] }: Removal,
): RemovalResult {
  const count = (sql: string, value: string | number) => Number(connection.sql(sql).get(value)?.n);
  const countOf = (trail: string) =>
    count("SELECT count(*) AS n FROM checkpoints JOIN trails ON trails.id = trail WHERE name = ?", trail);
  const doomed = new Set(trails);
  for (const trail of doomed) {
    const isShown = !isHidden(trail) && countOf(trail) > 0;
    connection
      .sql("UPDATE trails SET head = NULL, removed = max(removed, ?) WHERE name = ?")
      .run(isShown ? 1 : 0, trail);
    connection
      .sql("DELETE FROM early_records WHERE trail = (SELECT id FROM trails WHERE name = ?)")
      .run(trail);
  }
  const asked = new Map<ObjectId, CheckpointPlace[]>();
  for (const id of new Set(checkpoints)) asked.set(id, placesIn(connection, WITH_ID, keyOf(id)));
  const candidates = new Map<number, CheckpointPlace>();
  for (const place of [...asked.values()].flat())
    if (!isHidden(place.trail)) candidates.set(place.sequence, place);
  for (const trail of doomed)
    for (const place of placesIn(connection, "name = ?", trail)) candidates.set(place.sequence, place);

  const { removed, kept } = planRemoval(candidates.values(), {
    isHead: (place) => (place as CheckpointPlace).isHead,
    isPinned: (id) => isPinned(connection, id),
    forkedBy: (id) => trailsForkedAt(connection, id),
    placesIn: countOf,
  });
  for (const place of removed) takeOut(connection, place);
  const emptied = new Set(removed.map(({ trailId }) => trailId).filter((id) => count(PLACES_LEFT, id) === 0));
  for (const trail of emptied) connection.sql("DELETE FROM forks WHERE trail = ?").run(trail);
  // One tombstone stands for a whole trail.
  for (const place of removed)
    bury(connection, place, !doomed.has(place.trail) || !emptied.has(place.trailId));
  const unknown = [...asked].filter(([, places]) => places.length === 0);
  return {
    removed: [...new Set(removed.map(({ id }) => id))],
    kept: [...kept, ...unknown.map(([id]) => ({ id, reason: "not found" as const }))],
  };
}

const PLACES_LEFT = "SELECT count(*) AS n FROM checkpoints WHERE trail = ?";

function isPinned(connection: Connection, id: ObjectId): boolean {
  const pin = connection.sql(
    "SELECT 1 FROM ids JOIN records USING (object) WHERE ids.hash = ?1 AND key >= ?2 AND substr(key, 1, length(?2)) = ?2",
  );
  return pin.get(keyOf(id), PIN_PREFIX) !== undefined;
}

function trailsForkedAt(connection: Connection, id: ObjectId): string[] {
  const rows = connection
    .sql("SELECT name FROM forks JOIN trails ON trails.id = forks.trail WHERE parent = ?")
    .all(keyOf(id));
  return rows.map(({ name }) => String(name));
}

function takeOut(connection: Connection, { sequence }: CheckpointPlace): void {
  connection.sql("DELETE FROM checkpoints WHERE sequence = ?").run(sequence);
  raiseCounter(connection, "last_sequence", sequence);
}

function bury(connection: Connection, place: CheckpointPlace, leavesTombstone: boolean): void {
  const { id, object, trail, parent, created } = place;
  // The same checkpoint may still stand in another trail.
  if (connection.sql("SELECT 1 FROM checkpoints WHERE object = ?").get(object)) return;
  connection.sql("DELETE FROM records WHERE object = ?").run(object);
  if (!leavesTombstone || trail.startsWith(HIDDEN_PREFIX)) return;
  connection
    .sql("INSERT OR REPLACE INTO tombstones(hash, parent, trail, created) VALUES (?, ?, ?, ?)")
    .run(Buffer.from(id, "hex"), parent === undefined ? null : Buffer.from(parent, "hex"), trail, created);
}
