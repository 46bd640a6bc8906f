import { insteadOf } from "../../core/errors.ts";
import type { WorkflowContext } from "../workflow/context.ts";
import { stateOf, stepOf, type Run } from "../workflow/run/run-state.ts";
import { runTrail } from "../../work/state/run-trail.ts";
import type { Cluster } from "./cluster.ts";
import type { TakenJob } from "./dispatcher.ts";
import type { Job } from "./job.ts";

export interface RunningJob {
  readonly job: TakenJob;
  readonly stop: AbortController;
  /** Of the run when it was last looked at. */
  head: string;
}

/** Stops what was cancelled, paused or given to another worker. */
export async function stopUnwanted(
  context: WorkflowContext,
  { database, runs }: Cluster,
  running: readonly RunningJob[],
): Promise<void> {
  const jobs = running.filter(({ head }) => head !== "");
  if (jobs.length === 0) return;
  const rows = await database.read<{ name: string; head: string }>(
    "SELECT name, encode(head, 'hex') AS head FROM @trails WHERE name = ANY($1)",
    [[...new Set(jobs.map(({ job }) => runTrail(job.run)))]],
  );
  const heads = new Map(rows.map(({ name, head }) => [name, head]));
  for (const each of jobs) {
    const head = heads.get(runTrail(each.job.run)) ?? "gone";
    if (head === each.head) continue;
    const loaded = await runs.head(context, each.job.run, head).catch(insteadOf("not-found", undefined));
    each.head = head;
    if (loaded === undefined || !isCurrent(loaded.state.run, each.job))
      each.stop.abort("it is no longer wanted");
  }
}

/** Whether the store says that this attempt should run now. */
export function isCurrent(run: Run, { step, attempt }: Job): boolean {
  if (run.runs_on !== "workers" || !["running", "awaiting_approval"].includes(run.status)) return false;
  const state = stateOf(run, step);
  return stepOf(run, step) !== undefined && state.status === "running" && state.attempt === attempt;
}
