import { ago } from "../../../core/text/time.ts";
import { oneLine } from "../../../core/text/visible.ts";
import { table } from "../../../work/terminal/columns.ts";
import { type ListedWorker, listWorkers } from "../verbs/workers.ts";
import type { WorkerCommand } from "../verbs.ts";

/** How many steps of a worker are named. */
const NAMED = 3;

/** List the workers of a shared store */
export const workers: WorkerCommand<"workers"> = async ({ project, now }, _options, output) => {
  const found = await listWorkers(project);
  if (found.length === 0) output.message("No workers. To start one: checkpoint worker");
  output.result({ workers: found }, () =>
    table(
      found.map((worker) => row(worker, now())),
      output.columns,
    ),
  );
};

function row({ host, pid, queues, slots, running, since, seen, is_alive, note }: ListedWorker, now: Date) {
  const named = running.slice(0, NAMED).map(oneLine).join(", ");
  const more = running.length > NAMED ? ` + ${running.length - NAMED} more` : "";
  const busy = running.length === 0 ? "idle" : `at ${named}${more}`;
  return [
    `${oneLine(host)} ${pid}`,
    is_alive ? `${running.length} of ${slots}` : "gone",
    `started ${ago(since, now)}`,
    `seen ${ago(seen, now)}`,
    `queue ${queues.map(oneLine).join(", ")}`,
    note === null ? busy : `${busy}; ${oneLine(note)}`,
  ];
}
