import type { Removal, RemovalResult } from "../contract.ts";
import { PIN_PREFIX, planRemoval, type Candidate } from "../removal-plan.ts";
import { assertText, type Query } from "./database.ts";
import { bytesOf, idOf } from "./object-rows.ts";

interface CandidateRow extends Omit<Candidate, "id" | "places"> {
  readonly sequence: string;
  readonly id: Uint8Array;
  readonly places: string;
}

/** Turns checkpoints into tombstones. Runs alone in the store, and looks only at what it is asked for. */
export async function removeCheckpoints(query: Query, removal: Removal): Promise<RemovalResult> {
  const { checkpoints = [], trails = [], dryRun = false } = removal;
  assertText(...trails);
  const asked = [checkpoints.map(bytesOf), trails, PIN_PREFIX];
  const rows = await query<CandidateRow>("SELECT * FROM @candidates($1, $2, $3)", asked);
  const { leaving, result } = planRemoval(
    removal,
    rows.map((row) => ({ ...row, id: idOf(row.id), places: Number(row.places) })),
  );
  const sequences = leaving.map(({ sequence }) => sequence);
  if (!dryRun) await query("SELECT @take_out($1, $2)", [sequences, trails]);
  return result;
}
