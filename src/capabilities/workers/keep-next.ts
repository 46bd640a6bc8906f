import type { ClaimOptions } from "./claims.ts";
import type { Cluster } from "./cluster.ts";
import type { TakenJob } from "./dispatcher.ts";
import { jobId, type Job } from "./job.ts";
import type { KeptJob } from "./mover-lease.ts";

/** A worker that does what follows a step at once. That saves the way through the queue: an insert, a fetch and a delete. */
export interface Keeper extends ClaimOptions {
  readonly queues: readonly string[];
}

/** Takes the first step that the keeper could do out of those that are to be queued. */
export function takeOne(starts: Map<string, Job[]>, keeper: Keeper | undefined): KeptJob | undefined {
  const queue = keeper?.queues.find((name) => starts.has(name));
  const [job, ...others] = queue === undefined ? [] : starts.get(queue)!;
  if (keeper === undefined || queue === undefined || job === undefined) return undefined;
  if (others.length > 0) starts.set(queue, others);
  else starts.delete(queue);
  return { job: { ...job, id: jobId(job), queue, isKept: true }, by: keeper };
}

export async function queueAgain(cluster: Cluster, job: TakenJob): Promise<void> {
  await (await cluster.dispatcher()).enqueue([job], { queue: job.queue });
}
