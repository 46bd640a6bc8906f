import { existsSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";

import { CheckpointError, isCheckpointError } from "../../../core/errors.ts";
import type { WorkflowContext } from "../context.ts";
import { refuseLinks } from "../../../core/store/private-files.ts";
import { makeFolder } from "../engine/attempt-folder.ts";
import type { Run } from "../run/run-state.ts";
import { runTrail } from "../../../work/state/run-trail.ts";
import { changeRun } from "./change-run.ts";
import { readRun } from "./examine-run.ts";
import { readRuns } from "./read-runs.ts";
import { archiveName } from "./run-id.ts";
import { isDriven } from "./run-lease.ts";
import { runFolder } from "./run-folder.ts";

/** How many archived runs of a workflow are kept. Damaged ones do not count, and are never removed. */
const KEPT_ARCHIVES = 5;
/** The record that pins the checkpoints of a damaged run. */
const PUT_ASIDE = "pin/corrupt";

export interface ArchivedRun {
  readonly run: string;
  readonly archived_as: string;
  /** It was archived before: nothing changed. */
  readonly wasArchived: boolean;
  /** Its state could not be read: it was put aside untouched. */
  readonly isCorrupt: boolean;
  /** Older archives of the same workflow that were removed to make room. */
  readonly removed: readonly string[];
}

/**
 * Puts a run aside: it can be looked at, but not resumed. Only the oldest archives of the same workflow are deleted,
 * beyond the last five. A damaged run is pinned, so that the evidence is never removed.
 */
export async function archiveRun(context: WorkflowContext, id: string): Promise<ArchivedRun> {
  const name = archiveName(id, context.now());
  try {
    const before = await readRun(context, id);
    const { workflow, archived_as = name } = await changeRun(context, id, async (run) => {
      if (run.status === "archived") return undefined;
      if (run.status === "running" && (await isDriven(context, run))) throw stillRunning(run);
      const archived: Run = {
        ...run,
        status: run.status === "completed" ? "completed" : "archived",
        archived_as: run.archived_as ?? name,
      };
      const notes = `${run.workflow}: archived as ${archived.archived_as}`;
      return { run: archived, trigger: "run", notes };
    });
    const removed = before.status === "archived" ? [] : await thinArchives(context, workflow);
    const wasArchived = before.archived_as !== undefined;
    return { run: id, archived_as, wasArchived, isCorrupt: false, removed };
  } catch (error) {
    if (!isCheckpointError(error, "corrupt")) throw error;
    const before = await putAsideAs(context, id);
    if (before === undefined) await putAside(context, id, name);
    const wasArchived = before !== undefined;
    return { run: id, archived_as: before ?? name, wasArchived, isCorrupt: true, removed: [] };
  }
}

async function putAside(context: WorkflowContext, id: string, name: string): Promise<void> {
  const head = await context.cairn.store.head(runTrail(id));
  if (head) await context.cairn.store.attach(head, new Map([[PUT_ASIDE, new TextEncoder().encode(name)]]));
  const folder = runFolder(context, id);
  if (existsSync(folder)) {
    const archive = join(context.folder, "archive");
    refuseLinks(context.folder, archive);
    makeFolder(archive);
    renameSync(folder, join(archive, name));
  }
}

/** The name under which a damaged run was put aside. Its state cannot tell. */
export async function putAsideAs(
  { cairn }: Pick<WorkflowContext, "cairn">,
  id: string,
): Promise<string | undefined> {
  const head = await cairn.store.head(runTrail(id));
  const name = head && (await cairn.store.attachments([head])).get(head)?.get(PUT_ASIDE);
  return name && new TextDecoder().decode(name);
}

/** Removes the oldest archives of a workflow, beyond those that are kept. */
export async function thinArchives(context: WorkflowContext, workflow: string): Promise<string[]> {
  if (context.isThinnedElsewhere) return [];
  const archived: Run[] = [];
  for await (const found of readRuns(context))
    if ("run" in found && found.run.workflow === workflow && found.run.archived_as !== undefined)
      archived.push(found.run);
  const doomed = archived.slice(KEPT_ARCHIVES).map((run) => run.id);
  if (doomed.length > 0) await context.cairn.store.remove({ trails: doomed.map(runTrail) });
  for (const id of doomed) rmSync(runFolder(context, id), { recursive: true, force: true });
  return doomed;
}

function stillRunning({ id }: Run): CheckpointError {
  return new CheckpointError("conflict", `Run "${id}" is running.`, {
    hint: `Cancel it first: checkpoint cancel ${id}`,
    details: { run: id },
  });
}
