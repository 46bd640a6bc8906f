import { oneLine } from "../../../core/text/visible.ts";
import { work } from "../verbs/work.ts";
import type { WorkerCommand } from "../verbs.ts";

/** Run the steps of runs in a shared store */
export const worker: WorkerCommand<"worker"> = async (
  context,
  { queue, slots, lease, maxFileMb, keepDays, keepRuns, trustStore },
  output,
) => {
  const draining = new AbortController();
  context.onInterrupt(() => {
    output.message("Draining: what runs is finished, nothing more is taken. Once more ends it at once.");
    draining.abort();
  });
  await work(context.project, {
    queues: queue.length === 0 ? undefined : queue,
    slots,
    leaseMs: lease,
    maxFileBytes: maxFileMb === undefined ? undefined : maxFileMb * 2 ** 20,
    keepDays,
    keepRuns,
    trustStore,
    drain: draining.signal,
    onReady: () => output.message("Waiting for steps. SIGTERM or Ctrl-C drains."),
    onNote: (note) => output.message(`${context.now().toISOString()} ${oneLine(note)}`),
  });
  output.result({ drained: true }, "Drained.");
};
