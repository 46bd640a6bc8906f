import type { CheckpointError } from "../../core/errors.ts";
import type { Database } from "../postgres/store/database.ts";
import type { WorkflowContext } from "../workflow/context.ts";
import { isOver, RUN_TRAIL_PREFIX } from "../../work/state/run-trail.ts";
import { readRuns } from "../workflow/runner/read-runs.ts";
import type { Run } from "../workflow/run/run-state.ts";
import type { Cluster } from "./cluster.ts";
import { outdatedRuns, pruneRuns, removeRuns, type KeptRuns } from "./thin-runs.ts";

/** A file is in the store before the run names it, so a young one may be of use soon. Steps take less than a day. */
const DELETABLE_AFTER = "1 day";

/** Longer than cleaning up takes, and a little less than the time between two. */
const TURN = "50 minutes";

/** Whether it is this worker's turn to clean up: one does it for all. The turn is never given back; it expires. */
export async function takeTurn(database: Database, worker: string): Promise<boolean> {
  const taken = await database.write(
    `INSERT INTO @leases AS held(run, epoch, holder, machine, expires)
     VALUES ('', 0, $1, '', now() + interval '${TURN}')
     ON CONFLICT (run, epoch) DO UPDATE SET holder = excluded.holder, expires = excluded.expires
       WHERE held.expires < now()
     RETURNING run`,
    [worker],
  );
  return taken.length > 0;
}

/**
 * Deletes jobs that no run waits for, leases of runners that died, runs that are over and too old or too many, what steps
 * printed in runs that are gone, and files that no run names any more. A run that cannot be read keeps all files: which are
 * its own is not known. Then this rejects with `corrupt`.
 */
export async function cleanUp(
  context: Pick<WorkflowContext, "cairn" | "folder" | "now">,
  { database, dispatcher }: Pick<Cluster, "database" | "dispatcher">,
  keep: KeptRuns,
): Promise<void> {
  await (await dispatcher()).deleteDead();
  await database.write("DELETE FROM @leases WHERE expires < now() - interval '1 day'");
  await database.write("DELETE FROM @admissions WHERE state = 'over' AND at < now() - interval '2 days'");
  const readable: ReturnType<typeof withoutState>[] = [];
  let damage: CheckpointError | undefined;
  for await (const found of readRuns(context)) {
    if ("damage" in found) damage = found.damage;
    else readable.push(withoutState(found.run));
  }
  const outdated = outdatedRuns(readable, keep, context.now());
  await removeRuns(context, outdated);
  await pruneRuns(context, database);
  await database.write(
    `DELETE FROM @attempt_logs AS log
     WHERE NOT EXISTS (SELECT FROM @trails WHERE name = $1 || log.run AND head IS NOT NULL)`,
    [RUN_TRAIL_PREFIX],
  );
  if (damage !== undefined) throw damage;
  // Archived or removed since they stood.
  const open = readable.flatMap(({ id, status }) => (isOver(status) ? [] : [id]));
  await database.write("DELETE FROM @standing_runs WHERE run <> ALL ($1)", [open]);
  const gone = new Set(outdated);
  const kept = readable.filter(({ id }) => !gone.has(id));
  const used = new Set(kept.flatMap(({ artifacts }) => artifacts));
  await database.repeatable("BEGIN", async (query) => {
    const unused = await query<{ sha256: Buffer }>(
      `DELETE FROM @blobs WHERE part = 0 AND since < now() - interval '${DELETABLE_AFTER}'
       AND encode(sha256, 'hex') <> ALL ($1) RETURNING sha256`,
      [[...used]],
    );
    await query("DELETE FROM @blobs WHERE sha256 = ANY ($1)", [unused.map(({ sha256 }) => sha256)]);
  });
}

/** There may be many runs: their results and definitions are not kept in memory. */
const withoutState = ({ id, workflow, status, updated_at, archived_as, artifacts }: Run) => ({
  id,
  workflow,
  status,
  updated_at,
  archived_as,
  artifacts: Object.values(artifacts).map(({ sha256 }) => sha256),
});
