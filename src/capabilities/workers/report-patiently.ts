import { setTimeout as wait } from "node:timers/promises";

import { isCheckpointError } from "../../core/errors.ts";
import type { WorkflowContext } from "../workflow/context.ts";
import type { Cluster } from "./cluster.ts";
import { reportAndMove, type AttemptReport, type Reported } from "./move-run.ts";

const PAUSE_MS = 1000;
/** About ten minutes. */
const MAX_TRIES = 600;

/**
 * Tells the store how an attempt ended, and moves its run. Whether the report was in time: what a step has done is worth
 * waiting for, and as long as nobody has given it up, its report counts.
 */
export async function reportPatiently(
  context: WorkflowContext,
  cluster: Cluster,
  news: AttemptReport,
): Promise<Reported> {
  for (let tries = 1; ; tries++) {
    try {
      return await reportAndMove(context, cluster, news);
    } catch (error) {
      if (tries >= MAX_TRIES || !isCheckpointError(error, "failed")) throw error;
      await wait(PAUSE_MS);
    }
  }
}
