import type { Database } from "../postgres/store/database.ts";
import { readDepth } from "./dispatcher.ts";
import type { WorkerRow } from "./worker-row.ts";

/** Who works in a shared store, and what waits. */
export interface WorkStatus {
  readonly workers: readonly Omit<WorkerRow, "id" | "leaseMs">[];
  /** Steps that wait, by queue. */
  readonly queues: Readonly<Record<string, number>>;
  /** How long until the first claim of a worker expires, if there is one; below zero, it has. */
  readonly oldest_lease_ms: number | null;
}

export async function workStatus(database: Database): Promise<WorkStatus> {
  const workers = await database.read<WorkStatus["workers"][number]>(
    "SELECT host, pid, queues, slots, running, note FROM @workers WHERE expires > now() ORDER BY since, id",
  );
  const [lease] = await database.read<{ ms: string | null }>(
    "SELECT extract(epoch FROM min(expires) - now()) * 1000 AS ms FROM @outcomes WHERE outcome IS NULL",
  );
  const oldest_lease_ms = (lease?.ms ?? null) === null ? null : Math.round(Number(lease!.ms));
  return { workers, queues: await readDepth(database), oldest_lease_ms };
}
