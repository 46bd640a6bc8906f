import { existsSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";

import { CheckpointError, isCheckpointError } from "../../errors.ts";
import type { WorkflowContext } from "../context.ts";
import { makeFolder } from "../engine/attempt-folder.ts";
import { RUN_TRAIL_PREFIX, runTrail, type Run } from "../run/run-state.ts";
import { documentOf } from "../run/work-document.ts";
import { readRun } from "./examine-run.ts";
import { archiveName } from "./run-id.ts";
import { openRunTrail } from "./run-journal.ts";
import { isLocked } from "./run-lock.ts";
import { runFolder } from "./run-folder.ts";

/** How many archived runs of a workflow stay. Damaged ones do not count, and are never removed. */
const KEPT_ARCHIVES = 5;
/** The record that keeps the checkpoints of a damaged run. */
const PUT_ASIDE = "pin/corrupt";

export interface Archived {
  readonly run: string;
  readonly archived_as: string;
  /** Its state could not be read: it was put aside untouched. */
  readonly isCorrupt: boolean;
  /** Older archives of the same workflow that made room. */
  readonly removed: readonly string[];
}

/**
 * Puts a run aside: it can be looked at, but not resumed. Nothing is deleted but the oldest archives of the same
 * workflow beyond the last five. One whose state is damaged is pinned, so that nothing ever removes the evidence.
 */
export async function archiveRun(context: WorkflowContext, id: string): Promise<Archived> {
  const archived_as = archiveName(id, context.now());
  let run: Run;
  try {
    run = await readRun(context, id);
  } catch (error) {
    if (!isCheckpointError(error, "corrupt")) throw error;
    return putAside(context, id, archived_as);
  }
  if (run.status === "running" && isLocked(runFolder(context, id), run.epoch)) throw isRunning(run);
  if (run.status === "archived")
    return { run: id, archived_as: run.archived_as ?? archived_as, isCorrupt: false, removed: [] };
  const trail = openRunTrail(context, id);
  const head = await trail.load();
  const status = run.status === "completed" ? ("completed" as const) : ("archived" as const);
  const archived: Run = { ...head.state.run, status, archived_as: run.archived_as ?? archived_as };
  await trail.commit(documentOf(archived, head.state), {
    trigger: "run",
    notes: `${run.workflow}: archived as ${archived.archived_as}`,
  });
  return {
    run: id,
    archived_as: archived.archived_as!,
    isCorrupt: false,
    removed: await thinArchives(context, run.workflow),
  };
}

async function putAside(context: WorkflowContext, id: string, archived_as: string): Promise<Archived> {
  const before = await putAsideAs(context, id);
  if (before !== undefined) return { run: id, archived_as: before, isCorrupt: true, removed: [] };
  const head = await context.cairn.store.head(runTrail(id));
  if (head)
    await context.cairn.store.attach(head, new Map([[PUT_ASIDE, new TextEncoder().encode(archived_as)]]));
  const folder = runFolder(context, id);
  if (existsSync(folder)) {
    makeFolder(join(context.folder, "archive"));
    renameSync(folder, join(context.folder, "archive", archived_as));
  }
  return { run: id, archived_as, isCorrupt: true, removed: [] };
}

/** The name that a damaged run was put aside under. Its state cannot say so. */
export async function putAsideAs(
  { cairn }: Pick<WorkflowContext, "cairn">,
  id: string,
): Promise<string | undefined> {
  const head = await cairn.store.head(runTrail(id));
  const name = head && (await cairn.store.attachments(head)).get(PUT_ASIDE);
  return name && new TextDecoder().decode(name);
}

/** Removes the oldest archives of a workflow, beyond those that stay. */
export async function thinArchives(context: WorkflowContext, workflow: string): Promise<string[]> {
  const archived: Run[] = [];
  for (const { name } of await context.cairn.trails({ prefix: RUN_TRAIL_PREFIX })) {
    const run = await readableRun(context, name.slice(RUN_TRAIL_PREFIX.length));
    if (run?.workflow === workflow && run.archived_as !== undefined) archived.push(run);
  }
  // The trail that moved last comes first: the clock decides nothing.
  const doomed = archived.slice(KEPT_ARCHIVES).map((run) => run.id);
  await removeRuns(context, doomed);
  return doomed;
}

export async function readableRun(context: WorkflowContext, id: string): Promise<Run | undefined> {
  try {
    return await readRun(context, id);
  } catch (error) {
    if (isCheckpointError(error, "corrupt")) return undefined;
    throw error;
  }
}

/** Deletes runs: their checkpoints and the folders of their attempts. */
async function removeRuns(context: WorkflowContext, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await context.cairn.store.remove({ trails: ids.map(runTrail) });
  for (const id of ids) rmSync(runFolder(context, id), { recursive: true, force: true });
}

function isRunning({ id }: Run): CheckpointError {
  return new CheckpointError("conflict", `Run "${id}" is running.`, {
    hint: `Cancel it first: checkpoint cancel ${id}`,
    details: { run: id },
  });
}
