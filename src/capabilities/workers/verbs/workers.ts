import type { Project } from "../../../work/project/project.ts";
import { clusterOf } from "../cluster-of.ts";
import { noSharedStore } from "./work.ts";

/** A worker in a list. */
export interface ListedWorker {
  readonly id: string;
  readonly host: string;
  readonly pid: number;
  readonly queues: readonly string[];
  readonly slots: number;
  /** What it has claimed, as `run/step`. */
  readonly running: readonly string[];
  readonly since: string;
  /** When it last gave a sign of life. */
  readonly seen: string;
  /** Whether its lease holds. If not, others have what it ran. */
  readonly is_alive: boolean;
  /** What it last could not run, and why. */
  readonly note: string | null;
}

/** The workers of the shared store, the oldest first; those that died in the last hour are among them. */
export async function listWorkers(project: Project): Promise<ListedWorker[]> {
  const cluster = await clusterOf(project);
  if (cluster === undefined) throw noSharedStore();
  type Row = Omit<ListedWorker, "since" | "seen"> & Record<"since" | "seen", Date>;
  const rows = await cluster.database.read<Row>(
    `SELECT id, host, pid, queues, slots, since, seen, expires > now() AS is_alive, note, ARRAY(
       SELECT run || '/' || step FROM @outcomes WHERE worker = id AND outcome IS NULL ORDER BY 1) AS running
     FROM @workers ORDER BY since, id`,
  );
  return rows.map((row) => ({ ...row, since: row.since.toISOString(), seen: row.seen.toISOString() }));
}
