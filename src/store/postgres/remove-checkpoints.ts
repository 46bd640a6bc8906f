import type { ObjectId } from "../../objects/object-id.ts";
import type { Removal, RemovalResult } from "../contract.ts";
import { isHidden } from "../hidden-trails.ts";
import { PIN_PREFIX, planRemoval, type Place } from "../removal-plan.ts";
import { assertText, type Query } from "./database.ts";
import { bytesOf, idOf, optionalId } from "./object-rows.ts";

interface Candidate extends Place {
  readonly sequence: string;
  readonly trailId: number;
  readonly isHead: boolean;
  readonly isPinned: boolean;
  readonly forkedBy: readonly string[];
}

/** Turns checkpoints into tombstones. Runs alone in the store, and looks only at what it is asked for. */
export async function removeCheckpoints(
  query: Query,
  { checkpoints = [], trails = [], dryRun = false }: Removal,
): Promise<RemovalResult> {
  assertText(...trails);
  const doomed = new Set(trails);
  const asked = [...new Set(checkpoints)];
  const candidates = await readCandidates(query, asked, [...doomed]);
  const countOf = await countPlaces(query, candidates);
  const { removed, kept } = planRemoval(
    candidates.filter(({ trail }) => !isHidden(trail) || doomed.has(trail)),
    {
      // A trail that is removed has no head any more, even where one of its checkpoints must stay.
      isHead: (place) => (place as Candidate).isHead && !doomed.has(place.trail),
      isPinned: (id) => candidates.some((place) => place.id === id && place.isPinned),
      forkedBy: (id) => candidates.find((place) => place.id === id)?.forkedBy ?? [],
      placesIn: (trail) => countOf.get(trail) ?? 0,
    },
  );
  if (!dryRun) {
    await closeTrails(query, [...doomed]);
    await takeOut(query, removed, [...doomed]);
  }
  const known = new Set(candidates.map(({ id }) => id));
  const unknown = asked.filter((id) => !known.has(id));
  return {
    removed: [...new Set(removed.map(({ id }) => id))],
    kept: [...kept, ...unknown.map((id) => ({ id, reason: "not found" as const }))],
  };
}

/** A trail that nobody sees leaves no tombstone, nor does one without checkpoints. */
async function closeTrails(query: Query, trails: readonly string[]): Promise<void> {
  await query(
    `UPDATE @trails SET head = NULL, removed = removed OR
       EXISTS (SELECT 1 FROM @checkpoints AS c WHERE c.trail = trails.id) AND name <> ALL ($2)
     WHERE name = ANY ($1)`,
    [trails, trails.filter(isHidden)],
  );
  await query("DELETE FROM @early_records WHERE trail IN (SELECT id FROM @trails WHERE name = ANY ($1))", [
    trails,
  ]);
}

async function readCandidates(query: Query, ids: readonly ObjectId[], trails: readonly string[]) {
  const rows = await query<CandidateRow>(
    `SELECT sequence, c.id, t.name AS trail, t.id AS "trailId", c.parent, t.head IS NOT DISTINCT FROM c.id AS "isHead",
       EXISTS (SELECT 1 FROM @records WHERE checkpoint = c.id AND starts_with(key, $3)) AS "isPinned",
       ARRAY(SELECT name FROM @forks AS f JOIN @trails ON trails.id = f.trail WHERE f.parent = c.id) AS "forkedBy"
     FROM @checkpoints AS c JOIN @trails AS t ON t.id = c.trail
     WHERE sequence IN (
       SELECT sequence FROM @checkpoints WHERE id = ANY ($1)
       UNION SELECT sequence FROM @checkpoints WHERE trail IN (SELECT id FROM @trails WHERE name = ANY ($2))
     ) ORDER BY sequence`,
    [ids.map(bytesOf), trails, PIN_PREFIX],
  );
  return rows.map((row): Candidate => ({ ...row, id: idOf(row.id), parent: optionalId(row.parent) }));
}

interface CandidateRow extends Omit<Candidate, "id" | "parent"> {
  readonly id: Uint8Array;
  readonly parent: Uint8Array | null;
}

/** Only whether a trail becomes empty counts, so at most one more than its candidates is looked at. */
async function countPlaces(query: Query, candidates: readonly Candidate[]): Promise<Map<string, number>> {
  const byTrail = [...Map.groupBy(candidates, ({ trailId }) => trailId)];
  const rows = await query<{ name: string; count: string }>(
    `SELECT name, (SELECT count(*) FROM (SELECT 1 FROM @checkpoints AS c WHERE c.trail = given.id LIMIT given.most) AS few)
     FROM unnest($1::int[], $2::int[]) AS given(id, most) JOIN @trails AS t ON t.id = given.id`,
    [byTrail.map(([trail]) => trail), byTrail.map(([, places]) => places.length + 1)],
  );
  return new Map(rows.map(({ name, count }) => [name, Number(count)]));
}

/** The same checkpoint may still stand in another trail. One tombstone stands for a whole trail. */
async function takeOut(
  query: Query,
  removed: readonly Candidate[],
  doomed: readonly string[],
): Promise<void> {
  if (removed.length === 0) return;
  const ids = removed.map(({ id }) => bytesOf(id));
  const trailIds = [...new Set(removed.map(({ trailId }) => trailId))];
  await query(
    `WITH gone AS (DELETE FROM @checkpoints WHERE sequence = ANY ($1) RETURNING id, trail, parent, created, sequence)
     INSERT INTO @tombstones(id, parent, created, trail)
       SELECT DISTINCT ON (gone.id) gone.id, gone.parent, gone.created, t.name
       FROM gone JOIN @trails AS t ON t.id = gone.trail
       WHERE left(t.name, 1) <> '.' AND NOT EXISTS (
           SELECT 1 FROM @checkpoints AS c WHERE c.id = gone.id AND c.sequence <> ALL ($1)
         ) AND (t.name <> ALL ($2) OR EXISTS (
           SELECT 1 FROM @checkpoints AS c WHERE c.trail = gone.trail AND c.sequence <> ALL ($1)
         ))
       ORDER BY gone.id, gone.sequence DESC
     ON CONFLICT (id) DO UPDATE SET parent = excluded.parent, created = excluded.created, trail = excluded.trail`,
    [removed.map(({ sequence }) => sequence), doomed],
  );
  await query(
    `DELETE FROM @records WHERE checkpoint = ANY ($1)
       AND NOT EXISTS (SELECT 1 FROM @checkpoints AS c WHERE c.id = checkpoint)`,
    [ids],
  );
  await query(
    "DELETE FROM @forks WHERE trail = ANY ($1) AND NOT EXISTS (SELECT 1 FROM @checkpoints AS c WHERE c.trail = forks.trail)",
    [trailIds],
  );
}
