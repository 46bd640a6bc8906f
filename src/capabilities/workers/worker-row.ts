import type { WorkerStatus } from "../postgres/shared-work.ts";
import type { Database } from "../postgres/store/database.ts";

/** What `checkpoint store status` is told of a worker. Nothing depends on it. */
export interface WorkerRow extends WorkerStatus {
  readonly id: string;
  readonly leaseMs: number;
}

export async function signOn(database: Database, row: WorkerRow): Promise<void> {
  await database.patiently(() =>
    database.write(
      `INSERT INTO @workers(id, host, pid, queues, slots, running, expires)
       VALUES ($1, $2, $3, $4, $5, 0, now() + make_interval(secs => $6)) ON CONFLICT (id) DO NOTHING`,
      [row.id, row.host, row.pid, row.queues, row.slots, row.leaseMs / 1000],
    ),
  );
  await database.write("DELETE FROM @workers WHERE expires < now() - interval '1 hour'");
}

export async function renewWorkerRow(
  database: Database,
  { id, leaseMs, running, note }: WorkerRow,
): Promise<void> {
  await database.write(
    `UPDATE @workers SET seen = now(), expires = now() + make_interval(secs => $2), running = $3, note = $4
     WHERE id = $1`,
    [id, leaseMs / 1000, running, note],
  );
}

export async function signOff(database: Database, id: string): Promise<void> {
  await database.write("DELETE FROM @workers WHERE id = $1", [id]).catch(() => undefined);
}
