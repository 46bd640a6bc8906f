import { CheckpointError } from "../../../core/errors.ts";
import type { WorkerOptions } from "../worker-options.ts";
import { askGate } from "../../../work/project/gate.ts";
import type { Project } from "../../../work/project/project.ts";
import { findPart } from "../../../work/project/capability.ts";
import type { FiresDueRuns } from "../../workflow/due-runs.ts";
import { clusterOf } from "../cluster-of.ts";
import { openRuns } from "../../workflow/verbs/open-runs.ts";

/** Takes steps of runs in the shared store and runs them here, until it is told to drain. */
export async function work(project: Project, options: WorkerOptions): Promise<void> {
  const cluster = await clusterOf(project);
  if (cluster === undefined) throw noSharedStore();
  const workflows = await openRuns(project, "create");
  // A worker that may run nothing would hold what it takes until its claim expires.
  await askGate(project, "run.work");
  const { Worker } = await import("../worker.ts");
  const fire = await findPart<FiresDueRuns, "dueRuns">(project, "dueRuns");
  await new Worker(workflows, cluster, { ...options, startDue: fire && (() => fire(project)) }).run();
}

export function noSharedStore(): CheckpointError {
  return new CheckpointError(
    "usage",
    "Workers need a shared store: the one in .cairn is for this machine only.",
    { hint: "Set CHECKPOINT_STORE to postgres://user@host/database?schema=NAME, or pass --store." },
  );
}
