import type { WorkflowContext } from "../workflow/context.ts";
import { cleanUp, takeTurn } from "./clean-up.ts";
import type { Cluster } from "./cluster.ts";
import { DEFAULT_KEPT } from "./thin-runs.ts";
import type { WorkerOptions } from "./worker-options.ts";

const CLEAN_UP_MS = 3_600_000;
/** How often it looks for runs that are due by the clock: cron counts in minutes. */
const DUE_MS = 5_000;

interface Upkeep {
  readonly everyMs: number;
  readonly work: () => Promise<void>;
}

/** What workers do beside steps, for all of them: one cleans up, and each starts what is due, which is there once. */
export function upkeepOf(
  context: WorkflowContext,
  cluster: Cluster,
  { worker, options }: { readonly worker: string; readonly options: WorkerOptions },
): Upkeep[] {
  const { keepDays: days = DEFAULT_KEPT.days, keepRuns: runs = DEFAULT_KEPT.runs, startDue } = options;
  const cleaning = async () => {
    if (await takeTurn(cluster.database, worker)) await cleanUp(context, cluster, { days, runs });
  };
  const starting = async () => {
    for (const run of (await startDue?.()) ?? []) options.onNote?.(`${run} is due`);
  };
  return [
    { everyMs: CLEAN_UP_MS, work: cleaning },
    { everyMs: DUE_MS, work: starting },
  ];
}
