import { openUnguarded } from "../../../work/state/cairn.ts";
import type { Checkpoint } from "../../../core/trails/document.ts";
import type { WorkState } from "../../../work/state/work-state.ts";
import {
  cacheLatest,
  dropLatest,
  listenForMoves,
  readLatest,
  type CachedLatest,
  type LatestCache,
} from "../latest.ts";
import { pullTrail } from "../pull.ts";
import { readRemoteHead } from "../remote-trails.ts";
import { isObjectId, type ObjectId } from "../../../core/objects/object-id.ts";
import type { Store } from "../../../core/store/contract.ts";
import { openMemoryStore } from "../../../core/store/sqlite.ts";
import type { Project } from "../../../work/project/project.ts";
import { settingsOf } from "../../../work/project/settings/settings.ts";
import { notThere, refuseOldHead } from "./pull.ts";
import { connectToRead, machineName, type RemoteLink } from "./connect.ts";

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
  const link = await connectToRead(project, input.remote);
  const { known, trails } = link;
  const show = async (latest: CachedLatest, source: ShownLatest["source"], is_confirmed: boolean) => {
    const { machine, at: pushed_at, store } = latest;
    const checkpoint = await loadFrom(store, trail);
    return { remote: known.name, trail, machine, pushed_at, source, is_confirmed, checkpoint };
  };
  const cache = await cacheOf(link);
  const cached = cache && (await readLatest(cache, trail));
  if (cached && !confirm) return show(cached, "cache", false);
  const head = (await readRemoteHead(trails, trail))?.head;
  if (head !== undefined) await refuseOldHead(link, head);
  if (cached && cached.head === head?.head) return show(cached, "cache", true);
  await cached?.store.close();
  if (head === undefined) {
    if (cached) await dropLatest(cache, trail);
    return notThere(link, trail);
  }
  const store = await openMemoryStore();
  await pullTrail(store, trails, trail, { remoteName: known.name, head });
  if (cache) await cacheLatest(cache, store, head);
  return show({ ...head, store }, "remote", true);
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
  link: RemoteLink,
  heads: Readonly<Record<string, ObjectId>>,
): Promise<void> {
  const { project, store } = link;
  try {
    const cache = await cacheOf(link);
    if (cache === undefined) return;
    const [machine, at] = [machineName(project), project.now().toISOString()];
    for (const [trail, head] of Object.entries(heads)) {
      if (await cacheLatest(cache, store, { trail, head, machine, at })) continue;
      // One that is out of reach would be waited for with each trail.
      project.notices.warning(
        "The cache did not take what was pushed, and may show what was there before: checkpoint remote show TRAIL --confirm",
      );
      return;
    }
  } catch (error) {
    project.notices.warning(`The cache was not updated: ${(error as Error).message}`);
  }
}

/** The cache that machines which use this remote share, if the user named one. */
async function cacheOf({ project, known, trails }: RemoteLink): Promise<LatestCache | undefined> {
  const { cache: url } = await settingsOf(project);
  return url === undefined ? undefined : { url, remote: known.url, sealing: trails.sealing };
}

export interface RemoteMoves {
  end(): void;
}

/**
 * Tells when another machine pushed something, as the cache hears it: what was shown or pulled before may be old now.
 * Without a cache nobody is told, and one that fails may not tell of everything: look now and then in any case.
 */
export async function onRemoteMoved(
  project: Project,
  { remote }: { readonly remote?: string | undefined },
  told: () => void,
): Promise<RemoteMoves> {
  const link = await connectToRead(project, remote);
  const cache = await cacheOf(link);
  if (cache === undefined) return { end: () => undefined };
  // What this machine pushed itself, or has pulled already, is no news.
  const isHere = async (head: string) => isObjectId(head) && (await link.store.readObjects([head])).size > 0;
  const tellIfNew = async (head: string) => (await isHere(head)) || told();
  return listenForMoves(cache, (head) => void tellIfNew(head).catch(told));
}
