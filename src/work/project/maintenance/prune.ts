import { prune as pruneStore } from "../../../core/trails/prune.ts";
import type { Progress } from "../../../core/store/contract.ts";
import { chooseTrail } from "../choose-trail.ts";
import { findPart } from "../capability.ts";
import { noCheckpointYet } from "../find-project.ts";
import { allOrOne } from "../reading/list.ts";
import type { Project } from "../project.ts";
import { readSettings } from "../settings/settings.ts";

export interface PruneInput extends Progress {
  readonly trail?: string | undefined;
  /** In each trail by itself. */
  readonly all?: boolean | undefined;
  /** How many stay; without it, as the settings say. */
  readonly keep?: number | undefined;
  readonly dryRun?: boolean | undefined;
}

export type PruneResult = Awaited<ReturnType<typeof prune>>;

/** Removes old checkpoints of a trail, or of all, and keeps the newest. */
export async function prune(project: Project, input: PruneInput) {
  const { trail, all = false, dryRun = false, onProgress } = input;
  if (all && trail !== undefined) throw allOrOne(trail);
  const settings = await readSettings(project, project.root);
  const { name } = chooseTrail(project, trail);
  const { store } = await project.stores.open(project, dryRun ? "read" : "write", "keep.prune");
  if (!all && (await store.head(name)) === undefined) throw noCheckpointYet(name);
  const { kept, removed, bytesFreed } = await pruneStore(
    store,
    all ? { all: true } : { trail: name },
    { last: input.keep ?? settings.keep },
    { now: project.now(), dryRun, onProgress },
  );
  const beside = dryRun ? undefined : await findPart(project, "retention");
  const more = beside && (await beside(project)) > 0 ? (await store.sweep({ onProgress })).bytesFreed : 0;
  return {
    dry_run: dryRun,
    bytes_freed: bytesFreed + more,
    kept: kept.map(({ reasons, ...one }) => ({ ...pruned(one), reasons })),
    removed: removed.map(({ reason, ...one }) => ({ ...pruned(one), reason })),
  };
}

/** One that cannot be read goes by its hash. */
function pruned({ id, checkpoint_id, trail }: { id: string; checkpoint_id: string | null; trail: string }) {
  return { checkpoint_id: checkpoint_id ?? id, content_hash: id, trail };
}
