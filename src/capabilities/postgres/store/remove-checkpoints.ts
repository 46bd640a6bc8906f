import type { Removal, RemovalResult } from "../../../core/store/contract.ts";
import { assertWellFormed } from "../../../core/store/refusals.ts";
import { PIN_PREFIX, planRemoval, type Candidate } from "../../../core/store/removal-plan.ts";
import type { Database, Query } from "./database.ts";
import { bytesOf } from "./object-rows.ts";

/** Turns checkpoints into tombstones. Looks only at what it is asked for. */
export async function removeCheckpoints(database: Database, removal: Removal): Promise<RemovalResult> {
  assertWellFormed(...(removal.trails ?? []));
  // Commits wait while it is carried out. So it is planned before; if that is out of date then, all is done while they wait.
  const planned = await database.patiently(() => remove(database.write, removal));
  const alone = () => database.repeatable("BEGIN; SELECT @enter(true)", (query) => remove(query, removal));
  return (planned ?? (await alone())) as RemovalResult;
}

/** Undefined when something has changed since it was planned. */
async function remove(query: Query, removal: Removal): Promise<RemovalResult | undefined> {
  const { checkpoints = [], trails = [], dryRun = false } = removal;
  const asked = [checkpoints.map(bytesOf), trails, PIN_PREFIX];
  const [row] = await query<{ found: string }>("SELECT @candidates($1, $2, $3) AS found", asked);
  const candidates = JSON.parse(row?.found ?? "[]") as (Candidate & { readonly sequence: number })[];
  const { leaving, result } = planRemoval(removal, candidates);
  if (dryRun) return result;
  const values = [...asked, row?.found, leaving.map(({ sequence }) => sequence)];
  const [done] = await query<{ done: boolean }>("SELECT @take_out($1, $2, $3, $4, $5) AS done", values);
  return done?.done ? result : undefined;
}
