import { hasStore } from "../../../work/project/find-project.ts";
import type { Project } from "../../../work/project/project.ts";
import type { UndoneRewind } from "../../../work/project/snapshots.ts";
import { knownMoments } from "../moments/known-moments.ts";
import { newestSnapshot } from "../snapshot/snapshots.ts";
import { rewind } from "../verbs/rewind.ts";

/**
 * Takes a rewind of files back, if that was the last thing that happened: no snapshot and no checkpoint is newer. One that
 * took a rewind back itself counts for nothing, so that going back again goes further back, and never forth.
 */
export async function undoRewind(project: Project): Promise<UndoneRewind | undefined> {
  if (!hasStore(project)) return undefined;
  const { store, list } = await knownMoments(project);
  const [last] = list;
  const done = last?.rewind;
  if (!last || !done || done.paths.length === 0) return undefined;
  const target = list.find(({ info }) => info.checkpoint_id === done.target);
  const [moved] = await store.trails();
  const [newest] = moved === undefined ? [] : await store.history(moved.name, { limit: 1 });
  if (target?.why === "before-rewind" || (newest && newest.createdAt > Date.parse(last.info.created_at)))
    return undefined;
  const { restored, conflicts, committed } = await rewind(project, { undo: true });
  const after = (await newestSnapshot(store, project)) ?? last;
  const left = [...conflicts, ...committed];
  return { checkpoint: after.info, undone: last.info.checkpoint_id, restored: restored.length, left };
}
