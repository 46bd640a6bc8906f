import type { ObjectId } from "../../objects/object-id.ts";
import type { Removal, RemovalResult } from "../contract.ts";
import { isHidden } from "../hidden-trails.ts";
import { PIN_PREFIX, planRemoval } from "../removal-plan.ts";
import { placesIn, WITH_ID, type CheckpointPlace } from "./checkpoint-rows.ts";
import type { Connection } from "./connection.ts";
import { raiseCounter } from "./known-objects.ts";
import { keyOf } from "./object-rows.ts";

/** Turns checkpoints into tombstones. Runs inside a write transaction, where what must stay is looked up again. */
export function removeCheckpoints(connection: Connection, removal: Removal): RemovalResult {
  const { checkpoints = [], trails = [], dryRun = false } = removal;
  const places = [
    ...checkpoints.flatMap((id) => placesIn(connection, WITH_ID, [keyOf(id)], id)),
    ...trails.flatMap((trail) => placesIn(connection, "name = ?", [trail])),
  ];
  const counts = new Map(places.map(({ trail }) => [trail, 0]));
  for (const trail of counts.keys()) counts.set(trail, countPlaces(connection, trail));
  const each = [...new Map(places.map((place) => [place.sequence, place])).values()];
  const candidates = each.map((place) => ({
    ...place,
    isPinned: isPinned(connection, place.id),
    forkedBy: trailsForkedAt(connection, place.id),
    places: counts.get(place.trail) ?? 0,
  }));
  const { leaving, result } = planRemoval(removal, candidates);
  if (!dryRun) carryOut(connection, leaving, new Set(trails));
  return result;
}

function carryOut(
  connection: Connection,
  removed: readonly CheckpointPlace[],
  doomed: ReadonlySet<string>,
): void {
  for (const trail of doomed) {
    const isShown = !isHidden(trail) && countPlaces(connection, trail) > 0;
    connection
      .sql("UPDATE trails SET head = NULL, removed = max(removed, ?) WHERE name = ?")
      .run(isShown ? 1 : 0, trail);
    connection
      .sql("DELETE FROM early_records WHERE trail = (SELECT id FROM trails WHERE name = ?)")
      .run(trail);
  }
  for (const place of removed) takeOut(connection, place);
  const trails = new Map(removed.map(({ trail, trailId }) => [trail, trailId]));
  const emptied = new Map([...trails].filter(([trail]) => countPlaces(connection, trail) === 0));
  for (const id of emptied.values()) connection.sql("DELETE FROM forks WHERE trail = ?").run(id);
  // One tombstone stands for a whole trail.
  for (const place of removed) bury(connection, place, !doomed.has(place.trail) || !emptied.has(place.trail));
}

function countPlaces(connection: Connection, trail: string): number {
  const rows = "SELECT count(*) AS n FROM checkpoints JOIN trails ON trails.id = trail WHERE name = ?";
  return Number(connection.sql(rows).get(trail)?.n);
}

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
  if (!leavesTombstone || isHidden(trail)) return;
  connection
    .sql("INSERT OR REPLACE INTO tombstones(hash, parent, trail, created) VALUES (?, ?, ?, ?)")
    .run(Buffer.from(id, "hex"), parent === undefined ? null : Buffer.from(parent, "hex"), trail, created);
}
