import { type CheckpointInfo, infoOrDamage, readCheckpoint } from "../../../core/trails/document.ts";
import { findHead } from "../../../core/trails/find-checkpoint.ts";
import { parseTrailName } from "../../../core/trails/names.ts";
import { trailExists } from "../../../core/trails/trail-errors.ts";
import { following } from "../../import/imported-head.ts";
import { CheckpointError } from "../../../core/errors.ts";
import type { Store } from "../../../core/store/contract.ts";
import { chooseTrail, refuseGovernance, refuseOwned, refuseRun } from "../choose-trail.ts";
import { hasStore } from "../find-project.ts";
import { unlessDamaged } from "../reading/newest-whole.ts";
import type { Project } from "../project.ts";
import type { InputOf } from "../../verbs/field.ts";
import type { HISTORY } from "./verbs.ts";

export interface ListedTrail {
  readonly name: string;
  /** Whether commands work on it that name no other. */
  readonly is_current: boolean;
  readonly checkpoints: number;
  /** Null when it cannot be read. */
  readonly head: CheckpointInfo | null;
  /** The checkpoint of another trail that it goes on from, if that is still there. */
  readonly forked_from: Pick<CheckpointInfo, "checkpoint_id" | "trail" | "created_at"> | null;
}

/** All trails, the one that moved last first. */
export async function trails(
  project: Project,
  { prefix }: InputOf<(typeof HISTORY)["trails"]>,
): Promise<ListedTrail[]> {
  if (!hasStore(project)) return [];
  const { store } = await project.stores.open(project, "read");
  const current = chooseTrail(project, undefined).name;
  const found: ListedTrail[] = [];
  for (const { name } of await store.trails(prefix === undefined ? {} : { prefix })) {
    found.push({
      name,
      is_current: name === current,
      checkpoints: await store.count(name),
      head: (await unlessDamaged(() => findHead(store, name)))?.info ?? null,
      forked_from: await forkPointOf(store, name),
    });
  }
  return found;
}

async function forkPointOf(store: Store, trail: string): Promise<ListedTrail["forked_from"]> {
  const [oldest] = await store.find({ trail, limit: 1 });
  const [parent] = oldest?.parent ? await store.find({ idPrefix: oldest.parent, limit: 2 }) : [];
  if (parent === undefined || parent.trail === trail) return null;
  const { checkpoint_id, created_at } = infoOrDamage(parent);
  return { checkpoint_id, trail: parent.trail, created_at };
}

/**
 * Gives a trail another name, with its whole history, in one step. One checkpoint more says so, because those before it still
 * name the old trail.
 */
export async function trailRename(
  project: Project,
  { from, to }: InputOf<(typeof HISTORY)["trails rename"]>,
) {
  refuseFoundByName(parseTrailName(from), "renamed");
  refuseFoundByName(parseTrailName(to), "used as a name");
  const { store } = await project.stores.open(project, "write", "history.rename");
  const head = await findHead(store, from);
  if (head === undefined) throw noTrail(from);
  if ((await store.head(to)) !== undefined) throw trailExists(to);
  const created_at = project.now().toISOString();
  const about = { trail: to, created_at, notes: `Renamed from ${from}`, trigger: "fork", marked: undefined };
  const change = following(head, about);
  await store.commit({ ...change, trail: to, head: { from: undefined }, adopts: from, revives: true });
  const { id, bytes } = change.checkpoint;
  return { from, to, checkpoint: readCheckpoint(id, bytes).info };
}

/** Deletes a trail with its checkpoints. Cannot be undone. */
export async function trailDelete(project: Project, { name }: InputOf<(typeof HISTORY)["trails delete"]>) {
  refuseRun(parseTrailName(name));
  refuseGovernance(name);
  const { store } = await project.stores.open(project, "write", "history.delete");
  if ((await store.head(name)) === undefined) throw noTrail(name);
  const { removed, kept } = await store.remove({ trails: [name] });
  // A damaged store gives no space back, but the trail is gone all the same.
  await unlessDamaged(() => store.sweep());
  return { trail: name, removed: removed.length, kept: kept.length };
}

function noTrail(name: string): CheckpointError {
  return new CheckpointError("not-found", `There is no trail "${name}".`, {
    hint: "checkpoint trails",
    details: { trail: name },
  });
}

/** The trails of runs and sessions are found by their names. */
function refuseFoundByName(name: string, what: string): void {
  refuseOwned(name);
  if (!name.startsWith("session/") && !name.startsWith("progress/")) return;
  throw new CheckpointError("usage", `Trail "${name}" cannot be ${what}: an agent finds its work by it.`, {
    hint: `To continue under another name: checkpoint fork --trail ${name} --as NAME`,
    details: { trail: name },
  });
}
