import type { WorkflowContext } from "../workflow/context.ts";
import { RUN_TRAIL_PREFIX } from "../../work/state/run-trail.ts";
import { readRuns } from "../workflow/runner/read-runs.ts";
import type { Cluster } from "./cluster.ts";

/** A file is in the store before the run names it, so a young one may be of use soon. Steps take less than a day. */
const DELETABLE_AFTER = "1 day";

/**
 * Deletes jobs that nobody waits for, leases of runners that died, what steps printed in runs that are gone, and files that no
 * run names any more. A run that cannot be read keeps all files: nobody knows which are its own. Then this rejects with
 * `corrupt`.
 */
export async function cleanUp(
  context: Pick<WorkflowContext, "cairn">,
  { database, dispatcher }: Pick<Cluster, "database" | "dispatcher">,
): Promise<void> {
  await (await dispatcher()).deleteDead();
  await database.write("DELETE FROM @leases WHERE expires < now() - interval '1 day'");
  await database.write(
    `DELETE FROM @attempt_logs AS log
     WHERE NOT EXISTS (SELECT FROM @trails WHERE name = $1 || log.run AND head IS NOT NULL)`,
    [RUN_TRAIL_PREFIX],
  );
  const used = new Set<string>();
  for await (const found of readRuns(context)) {
    if ("damage" in found) throw found.damage;
    for (const { sha256 } of Object.values(found.run.artifacts)) used.add(sha256);
  }
  await database.repeatable("BEGIN", async (query) => {
    const gone = await query<{ sha256: Buffer }>(
      `DELETE FROM @blobs WHERE part = 0 AND since < now() - interval '${DELETABLE_AFTER}'
       AND encode(sha256, 'hex') <> ALL ($1) RETURNING sha256`,
      [[...used]],
    );
    await query("DELETE FROM @blobs WHERE sha256 = ANY ($1)", [gone.map(({ sha256 }) => sha256)]);
  });
}
