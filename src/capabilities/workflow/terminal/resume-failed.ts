import { CheckpointError, isCheckpointError } from "../../../core/errors.ts";
import { oneLine } from "../../../core/text/visible.ts";
import type { Context } from "../../../work/terminal/context.ts";
import type { Output } from "../../../work/terminal/output.ts";
import type { WorkflowContext } from "../context.ts";
import { elsewhereOf } from "../elsewhere.ts";
import { findRuns } from "../runner/find-runs.ts";
import { readRun } from "../runner/examine-run.ts";

/** Runs that are resumed in one go; the command says when there are more. */
const MOST = 1000;

/** Sets all failed runs of workers going again, and does not watch them. Status 1 when one of them could not be. */
export async function resumeFailed(
  context: Context,
  workflows: WorkflowContext,
  { workflow, dryRun }: { readonly workflow: string | undefined; readonly dryRun: boolean },
  output: Output,
): Promise<number> {
  const workers = await elsewhereOf(context.project);
  if (workers === undefined) throw needsWorkers();
  const failed = await findRuns(workflows, { status: "failed", workflow, limit: MOST });
  const resumed: string[] = [];
  let isRefused = false;
  for (const { id, reason } of failed) {
    const isTheirs = (await readRun(workflows, id)).runs_on === "workers";
    if (!isTheirs) output.warning(`${oneLine(id)} is not done by workers: checkpoint resume ${oneLine(id)}`);
    if (!isTheirs) continue;
    try {
      if (!dryRun) await workers.resume(workflows, id, { signal: AbortSignal.abort() });
      resumed.push(id);
      output.message(
        `${oneLine(id)} ${dryRun ? "would run" : "runs"} again: ${oneLine(reason ?? "it failed")}`,
      );
    } catch (error) {
      if (!isCheckpointError(error)) throw error;
      isRefused = true;
      output.warning(`${oneLine(id)}: ${oneLine(error.message)}`);
    }
  }
  if (failed.length === 0) output.message("No run has failed.");
  if (failed.length === MOST) output.message("There may be more: run this command again.");
  output.result({ run: null, plan: null, resumed }, () => resumed.map(oneLine).join("\n"));
  return isRefused ? 1 : 0;
}

function needsWorkers(): CheckpointError {
  return new CheckpointError("usage", "--failed is for the runs of workers, and those need a shared store.", {
    hint: "checkpoint runs --status failed, then checkpoint resume RUN",
  });
}
