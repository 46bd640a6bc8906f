import type { ObjectId } from "../../objects/object-id.ts";
import type { Removal, RemovalResult } from "../contract.ts";
import { isHidden } from "../hidden-trails.ts";
import { PIN_PREFIX, planRemoval, type Place } from "../removal-plan.ts";
import { assertText, type Query } from "./database.ts";
import { bytesOf, idOf, optionalId } from "./object-rows.ts";

interface Candidate extends Place {
  readonly sequence: string;
  readonly isHead: boolean;
  readonly isPinned: boolean;
  readonly forkedBy: readonly string[];
  /** How many its trail has. Whether it becomes empty is all that counts, so one more than are asked for stands for more. */
  readonly places: string;
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
  const countOf = new Map(candidates.map(({ trail, places }) => [trail, Number(places)]));
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
    const sequences = removed.map(({ sequence }) => sequence);
    await query("SELECT @take_out($1, $2)", [sequences, [...doomed]]);
  }
  const known = new Set(candidates.map(({ id }) => id));
  const unknown = asked.filter((id) => !known.has(id));
  return {
    removed: [...new Set(removed.map(({ id }) => id))],
    kept: [...kept, ...unknown.map((id) => ({ id, reason: "not found" as const }))],
  };
}

async function readCandidates(query: Query, ids: readonly ObjectId[], trails: readonly string[]) {
  const rows = await query<CandidateRow>("SELECT * FROM @candidates($1, $2, $3)", [
    ids.map(bytesOf),
    trails,
    PIN_PREFIX,
  ]);
  return rows.map((row): Candidate => ({ ...row, id: idOf(row.id), parent: optionalId(row.parent) }));
}

interface CandidateRow extends Omit<Candidate, "id" | "parent"> {
  readonly id: Uint8Array;
  readonly parent: Uint8Array | null;
}
