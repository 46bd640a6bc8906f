import { rmSync } from "node:fs";

import type { ObjectId } from "../../core/objects/object-id.ts";
import { RUN_TRAIL_PREFIX, runTrail } from "../../work/state/run-trail.ts";
import type { Database } from "../postgres/store/database.ts";
import type { WorkflowContext } from "../workflow/context.ts";
import type { Run } from "../workflow/run/run-state.ts";
import { removable } from "../workflow/run/retention.ts";
import { runFolder } from "../workflow/runner/run-folder.ts";
import { openRunTrail } from "../workflow/runner/run-journal.ts";

/** What a shared store keeps of runs that are over. Runs that can still be resumed are never removed. */
export interface KeptRuns {
  readonly days: number;
  /** Of each workflow. */
  readonly runs: number;
}

export const DEFAULT_KEPT: KeptRuns = { days: 30, runs: 10_000 };

/** Commits wait while a batch is removed, so batches are small. */
const BATCH = 100;
/** A shorter trail is left alone: it has little more than `removable` leaves. */
const LONG_TRAIL = 10;

const DAY_MS = 86_400_000;

interface OverRun extends Pick<Run, "id" | "workflow" | "updated_at"> {
  readonly archived_as: string | undefined;
}

/** Which archived runs are too old or too many. They are given most recently changed first. Pure. */
export function outdatedRuns(runs: Iterable<OverRun>, { days, runs: most }: KeptRuns, now: Date): string[] {
  const kept = new Map<string, number>();
  const outdated: string[] = [];
  for (const { id, workflow, updated_at, archived_as } of runs) {
    if (archived_as === undefined) continue;
    const newer = kept.get(workflow) ?? 0;
    if (newer >= most || now.getTime() - Date.parse(updated_at) > days * DAY_MS) outdated.push(id);
    else kept.set(workflow, newer + 1);
  }
  return outdated;
}

export async function removeRuns(
  context: Pick<WorkflowContext, "cairn" | "folder">,
  ids: readonly string[],
): Promise<void> {
  for (const batch of batches(ids)) {
    await context.cairn.store.remove({ trails: batch.map(runTrail) });
    for (const id of batch) rmSync(runFolder(context, id), { recursive: true, force: true });
  }
}

/** Prunes long trails of runs that nothing works on, as a runner on one machine does when a run ends. */
export async function pruneRuns(
  context: Pick<WorkflowContext, "cairn" | "now">,
  database: Database,
): Promise<void> {
  const rows = await database.read<{ run: string }>(
    `SELECT substr(t.name, $1) AS run FROM @trails AS t WHERE starts_with(t.name, $2) AND t.head IS NOT NULL
       AND NOT EXISTS (SELECT FROM @active_runs AS a WHERE a.run = substr(t.name, $1))
       AND (SELECT count(*) FROM (SELECT FROM @checkpoints AS c WHERE c.trail = t.id LIMIT $3) AS few) = $3`,
    [RUN_TRAIL_PREFIX.length + 1, RUN_TRAIL_PREFIX, LONG_TRAIL],
  );
  for (const { run } of rows) {
    const history = await openRunTrail(context, run).history();
    for (const checkpoints of batches<ObjectId>(removable(history)))
      await context.cairn.store.remove({ checkpoints });
  }
}

function* batches<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  for (let from = 0; from < items.length; from += BATCH) yield items.slice(from, from + BATCH);
}
