import type { WorkerStatus, WorkStatus } from "../postgres/shared-work.ts";
import type { Database } from "../postgres/store/database.ts";
import { readDepth } from "./dispatcher.ts";

export async function workStatus(database: Database): Promise<WorkStatus> {
  const workers = await database.read<WorkerStatus>(
    "SELECT host, pid, queues, slots, running, note FROM @workers WHERE expires > now() ORDER BY since, id",
  );
  const [lease] = await database.read<{ ms: string | null }>(
    "SELECT extract(epoch FROM min(expires) - now()) * 1000 AS ms FROM @outcomes WHERE outcome IS NULL",
  );
  const oldest_lease_ms = (lease?.ms ?? null) === null ? null : Math.round(Number(lease!.ms));
  return { workers, queues: await readDepth(database), oldest_lease_ms };
}
