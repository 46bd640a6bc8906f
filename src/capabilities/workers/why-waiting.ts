import type { Database } from "../postgres/store/database.ts";
import { stateOf, stepsWith, type Run } from "../workflow/run/run-state.ts";
import { DEFAULT_QUEUE } from "./dispatcher.ts";

/**
 * Why steps that are due are at no worker, as far as workers tell: none takes from their queue, or those that do refuse.
 * Undefined where they are at work, or only have to wait for a free slot.
 */
export async function whyWaiting(database: Database, run: Run): Promise<string | undefined> {
  if (run.runs_on !== "workers") return undefined;
  const claims = await database.read<{ step: string; attempt: number }>(
    "SELECT step, attempt FROM @outcomes WHERE run = $1",
    [run.id],
  );
  const isClaimed = (step: string) =>
    claims.some((claim) => claim.step === step && claim.attempt === stateOf(run, step).attempt);
  const waiting = stepsWith(run, "running").filter(({ id }) => !isClaimed(id));
  if (waiting.length === 0) return undefined;
  const wanted = new Set(waiting.map(({ queue = DEFAULT_QUEUE }) => queue));
  const workers = await database.read<{ host: string; queues: string[]; note: string | null }>(
    "SELECT host, queues, note FROM @workers WHERE expires > now() ORDER BY since",
  );
  const fitting = workers.filter(({ queues }) => queues.some((queue) => wanted.has(queue)));
  if (fitting.length === 0)
    return `no worker takes steps from ${[...wanted].map((queue) => `queue ${queue}`).join(" or ")}`;
  const about = [`run "${run.id}"`, ...(run.git_head === undefined ? [] : [run.git_head.slice(0, 12)])];
  const refusals = fitting.flatMap(({ host, note }) =>
    note !== null && about.some((name) => note.includes(name)) ? [`${host}: ${note}`] : [],
  );
  return refusals.length === 0 ? undefined : [...new Set(refusals)].join("\n");
}
