import { openUnguarded } from "../../../work/state/cairn.ts";
import type { Checkpoint } from "../../../core/trails/document.ts";
import type { WorkState } from "../../../work/state/work-state.ts";
import { cacheLatest, dropLatest, readLatest, type LatestCache } from "../latest.ts";
import { pullTrail } from "../pull.ts";
import { readRemoteHead, type RemoteTrails } from "../remote-trails.ts";
import type { ObjectId } from "../../../core/objects/object-id.ts";
import type { Store } from "../../../core/store/contract.ts";
import { openMemoryStore } from "../../../core/store/sqlite.ts";
import type { Project } from "../../../work/project/project.ts";
import { settingsOf } from "../../../work/project/settings/settings.ts";
import { notThere, refuseOldHead } from "./pull.ts";
import { connect, machineName } from "./connect.ts";
import { chooseRemote, type KnownRemote } from "./known-remotes.ts";

export interface RemoteShowInput {
  readonly trail: string;
  readonly remote?: string | undefined;
  /** Asks the remote whether what is cached is still the newest. */
  readonly confirm?: boolean | undefined;
}

export interface ShownLatest {
  readonly remote: string;
  readonly trail: string;
  /** The machine that pushed it, and when by its clock. */
  readonly machine: string;
  readonly pushed_at: string;
  readonly source: "cache" | "remote";
  /** Whether the remote said that it is the newest. */
  readonly is_confirmed: boolean;
  readonly checkpoint: Checkpoint<WorkState>;
}

/** The newest checkpoint of a trail on a remote. Nothing is brought into this project, so nothing can build on it. */
export async function remoteShow(project: Project, input: RemoteShowInput): Promise<ShownLatest> {
  const { trail, confirm = false } = input;
  const { store } = await project.stores.open(project, "read");
  const known = await chooseRemote(project, store, input.remote);
  const trails = await connect(project, known);
  const cache = await cacheOf(project, known, trails);
  const cached = cache && (await readLatest(cache, trail));
  const answer = { remote: known.name, trail };
  const isEnough = cached !== undefined && !confirm;
  const remote = isEnough ? undefined : (await readRemoteHead(trails, trail))?.head;
  if (remote !== undefined) await refuseOldHead(store, remote, known);
  if (cached !== undefined) {
    if (isEnough || remote?.head === cached.head) {
      const { machine, at: pushed_at } = cached;
      const checkpoint = await loadFrom(cached.store, trail);
      return { ...answer, machine, pushed_at, source: "cache", is_confirmed: confirm, checkpoint };
    }
    await cached.store.close();
  }
  if (remote === undefined) {
    if (cache && cached) await dropLatest(cache, trail);
    throw notThere(trails, trail);
  }
  const memory = await openMemoryStore();
  await pullTrail(memory, trails, trail, { remoteName: known.name, head: remote });
  if (cache) await cacheLatest(cache, memory, remote);
  const { machine, at: pushed_at } = remote;
  const checkpoint = await loadFrom(memory, trail);
  return { ...answer, machine, pushed_at, source: "remote", is_confirmed: true, checkpoint };
}

async function loadFrom(store: Store, trail: string): Promise<Checkpoint<WorkState>> {
  const cairn = await openUnguarded({ store });
  try {
    return await cairn.trail(trail).load();
  } finally {
    await cairn.close();
  }
}

/** Puts what was just pushed into the cache, if there is one. A push does not fail because of it. */
export async function cachePushed(
  project: Project,
  known: KnownRemote,
  { store, trails, heads }: { store: Store; trails: RemoteTrails; heads: Readonly<Record<string, ObjectId>> },
): Promise<void> {
  try {
    const cache = await cacheOf(project, known, trails);
    if (cache === undefined) return;
    const [machine, at] = [machineName(project), project.now().toISOString()];
    for (const [trail, head] of Object.entries(heads))
      await cacheLatest(cache, store, { trail, head, machine, at });
  } catch (error) {
    project.notices.warning(`The cache was not updated: ${(error as Error).message}`);
  }
}

/** The cache that machines which use this remote share, if the user named one. */
export async function cacheOf(
  project: Project,
  known: KnownRemote,
  { sealing }: RemoteTrails,
): Promise<LatestCache | undefined> {
  const { cache: url } = await settingsOf(project);
  return url === undefined ? undefined : { url, remote: known.url, sealing };
}
