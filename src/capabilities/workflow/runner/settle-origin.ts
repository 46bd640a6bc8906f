import { isCheckpointError } from "../../../core/errors.ts";
import type { WorkflowContext } from "../context.ts";
import type { Run } from "../run/run-state.ts";
import { isOver } from "../../../work/state/run-trail.ts";
import { archiveRun } from "./archive.ts";
import { cancelRun } from "./cancel-run.ts";
import { readRun } from "./examine-run.ts";
import { isDriven } from "./run-lease.ts";

/** What became of the run that a fork was made from. */
export type SettledOrigin =
  /** It was unfinished, and ended: the fork does what is left. */
  | "ended"
  /** It was over before. */
  | "over"
  /** A runner or workers drive it, so both continue. */
  | "driven"
  /** Its state is damaged, so it was archived untouched. */
  | "put aside";

/**
 * Ends the run that a fork was made from, and earlier forks of it: otherwise they would stay unfinished, and resuming them
 * would do again what the new fork has done. A second call does nothing.
 */
export async function settleOrigin(
  context: WorkflowContext,
  { id, forked_from: origin }: Pick<Run, "id" | "forked_from">,
): Promise<SettledOrigin> {
  if (origin === undefined) return "over";
  for (const earlier of earlierForks(id)) if (earlier !== origin.run) await endFork(context, earlier, id);
  try {
    return await endRun(context, await readRun(context, origin.run), id);
  } catch (error) {
    if (isCheckpointError(error, "not-found")) return "over";
    if (!isCheckpointError(error, "corrupt")) throw error;
    const { wasArchived } = await archiveRun(context, origin.run);
    return wasArchived ? "over" : "put aside";
  }
}

async function endRun(context: WorkflowContext, run: Run, fork: string): Promise<SettledOrigin> {
  if (isOver(run.status)) return "over";
  if (await isDriven(context, run)) return "driven";
  await cancelRun(context, run.id, { reason: `It continues as ${fork}.`, continuedAs: fork });
  return "ended";
}

/** Forks are numbered from 2: those of `r` are `r~2`, `r~3` and so on. */
function earlierForks(id: string): string[] {
  const [, root, number] = /^(.+)~(\d+)$/.exec(id) ?? [];
  return Array.from({ length: Math.max(0, Number(number ?? 0) - 2) }, (_, at) => `${root}~${at + 2}`);
}

/** One that is damaged or gone cannot be resumed, and one that somebody only named so is no fork. */
async function endFork(context: WorkflowContext, id: string, fork: string): Promise<void> {
  try {
    const run = await readRun(context, id);
    if (run.forked_from !== undefined) await endRun(context, run, fork);
  } catch (error) {
    if (!isCheckpointError(error, "corrupt") && !isCheckpointError(error, "not-found")) throw error;
  }
}
