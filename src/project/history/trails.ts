import { type CheckpointInfo, readCheckpoint } from "../../checkpoints/document.ts";
import { findHead } from "../../checkpoints/find-checkpoint.ts";
import { parseTrailName } from "../../checkpoints/names.ts";
import { trailExists } from "../../checkpoints/trail-errors.ts";
import { following } from "../../checkpoints/transfer/imported-head.ts";
import { CheckpointError, isCheckpointError } from "../../errors.ts";
import type { Store } from "../../store/contract.ts";
import { chooseTrail, refuseOwned, refuseRun } from "../choose-trail.ts";
import { hasStore, noCheckpointYet } from "../find-project.ts";
import type { Project } from "../project.ts";
import type { InputOf } from "../schema-parts.ts";
import type { TRAIL_DELETE, TRAIL_RENAME, TRAILS } from "./schemas.ts";

export interface ListedTrail {
  readonly name: string;
  /** Whether commands work on it that name no other. */
  readonly is_current: boolean;
  readonly checkpoints: number;
  /** Null when it cannot be read. */
  readonly head: CheckpointInfo | null;
}

export type TrailsInput = InputOf<typeof TRAILS>;

/** All trails, the one that moved last first. */
export async function trails(project: Project, { prefix }: TrailsInput): Promise<ListedTrail[]> {
  if (!hasStore(project)) return [];
  const { store } = await project.stores.open(project, "read");
  const current = chooseTrail(project, undefined).name;
  const found: ListedTrail[] = [];
  for (const { name } of await store.trails(prefix === undefined ? {} : { prefix })) {
    const checkpoints = (await store.history(name)).length;
    found.push({ name, is_current: name === current, checkpoints, head: await headOf(store, name) });
  }
  return found;
}

async function headOf(store: Store, trail: string): Promise<CheckpointInfo | null> {
  try {
    return (await findHead(store, trail))?.info ?? null;
  } catch (error) {
    if (isCheckpointError(error, "corrupt")) return null;
    throw error;
  }
}

export type TrailRenameInput = InputOf<typeof TRAIL_RENAME>;

export interface TrailRenameResult {
  readonly from: string;
  readonly to: string;
  readonly checkpoint: CheckpointInfo;
}

/**
 * Gives a trail another name, with its whole history, in one step. One checkpoint more says so, because those before it still
 * name the old trail.
 */
export async function trailRename(
  project: Project,
  { from, to }: TrailRenameInput,
): Promise<TrailRenameResult> {
  refuseFoundByName(parseTrailName(from), "renamed");
  refuseFoundByName(parseTrailName(to), "used as a name");
  const { store } = await project.stores.open(project, "write");
  const head = await findHead(store, from);
  if (head === undefined) throw noCheckpointYet(from);
  if ((await store.head(to)) !== undefined) throw trailExists(to);
  const created_at = project.now().toISOString();
  const about = { trail: to, created_at, notes: `Renamed from ${from}`, trigger: "fork", marked: undefined };
  const change = following(head, about);
  await store.commit({ ...change, trail: to, head: { from: undefined }, adopts: from, revives: true });
  const { id, bytes } = change.checkpoint;
  return { from, to, checkpoint: readCheckpoint(id, bytes).info };
}

export type TrailDeleteInput = InputOf<typeof TRAIL_DELETE>;

export interface TrailDeleteResult {
  readonly trail: string;
  readonly removed: number;
  /** Checkpoints that stay, because of a tag or because other trails forked from them. */
  readonly kept: number;
}

/** Deletes a trail with its checkpoints. Cannot be undone. */
export async function trailDelete(project: Project, { name }: TrailDeleteInput): Promise<TrailDeleteResult> {
  refuseRun(parseTrailName(name));
  const { store } = await project.stores.open(project, "write");
  if ((await store.head(name)) === undefined) throw noCheckpointYet(name);
  const { removed, kept } = await store.remove({ trails: [name] });
  await store.sweep();
  return { trail: name, removed: removed.length, kept: kept.length };
}

/** The trails of runs and sessions are found by their names. */
function refuseFoundByName(name: string, what: string): void {
  refuseOwned(name);
  if (!name.startsWith("session/") && !name.startsWith("progress/")) return;
  throw new CheckpointError("usage", `Trail "${name}" cannot be ${what}: an agent finds its work by it.`, {
    hint: `To go on under another name: checkpoint fork --trail ${name} --as NAME`,
    details: { trail: name },
  });
}
