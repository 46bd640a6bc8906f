import { isCheckpointError } from "../../errors.ts";
import type { WorkflowContext } from "../context.ts";
import { isOver, type Run } from "../run/run-state.ts";
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
 * Ends the run that a fork was made from: otherwise both would be unfinished, and resuming it would do again what the fork
 * has done. A second call does nothing.
 */
export async function settleOrigin(
  context: WorkflowContext,
  { id, forked_from: origin }: Pick<Run, "id" | "forked_from">,
): Promise<SettledOrigin> {
  if (origin === undefined) return "over";
  try {
    const run = await readRun(context, origin.run);
    if (isOver(run.status)) return "over";
    if (await isDriven(context, run)) return "driven";
    await cancelRun(context, run.id, { reason: `It continues as ${id}.`, continuedAs: id });
    return "ended";
  } catch (error) {
    if (isCheckpointError(error, "not-found")) return "over";
    if (!isCheckpointError(error, "corrupt")) throw error;
    const { wasArchived } = await archiveRun(context, origin.run);
    return wasArchived ? "over" : "put aside";
  }
}
