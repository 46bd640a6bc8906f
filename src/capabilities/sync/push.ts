import { lineBetween, type LinedUp } from "../../core/trails/lines/line.ts";
import { CheckpointError } from "../../core/errors.ts";
import type { ObjectId } from "../../core/objects/object-id.ts";
import type { Progress, Store } from "../../core/store/contract.ts";
import { trailRemoved } from "../../core/store/refusals.ts";
import { damagedPack } from "./damage.ts";
import type { PackRef, RemoteHead } from "./documents.ts";
import { buildPacks } from "./packs/build-packs.ts";
import { LONGEST_PUSH_MS, readEpoch, type RepackEpoch } from "./packs/delete-packs.ts";
import { mergeRecent } from "./packs/merge-packs.ts";
import {
  moveHead,
  packsOf,
  readHeadToReplace,
  readRemoteHead,
  writeOnce,
  type PackList,
  type RemoteTrails,
} from "./remote-trails.ts";

export interface PushOptions extends Progress {
  /** The name of this machine, for people. */
  readonly machine: string;
  readonly now: () => Date;
  /** A text that nobody else comes up with. */
  readonly random: () => string;
  /** Sends everything again, whatever the remote says that it has. */
  readonly full?: boolean | undefined;
  /** Under another name there. */
  readonly as?: string | undefined;
  readonly dryRun?: boolean | undefined;
  /** Looks at the remote's head before anything is built on it, and throws if nothing must be. */
  readonly checkHead?: ((head: RemoteHead) => Promise<void>) | undefined;
}

export interface Pushed {
  readonly trail: string;
  /** `elsewhere`: the remote has checkpoints that are not in this trail. Nothing was changed; pull first. */
  readonly outcome: "pushed" | "up to date" | "elsewhere" | "would push";
  readonly checkpoints: number;
  readonly sizeBytes: number;
  /** Where the trail stood when it was looked at. */
  readonly head: ObjectId;
  /** Packs were merged, so that some may be of no use any more. */
  readonly isMerged: boolean;
}

/** Races that may be lost before something else must be wrong. */
const MOST_RACES = 8;

/**
 * Brings a trail's new checkpoints to a remote. Packs go first, then the head moves, and only if it is where it was:
 * interrupted at any point, the remote shows the old head or the new one, and the next push does the rest.
 */
export async function pushTrail(
  store: Store,
  trails: RemoteTrails,
  trail: string,
  options: PushOptions,
): Promise<Pushed> {
  const { full = false, as: name = trail, machine, now } = options;
  /** What an earlier try found to be doomed, and must not be referred to. */
  let doomed: RepackEpoch | undefined;
  for (let race = 0; race < MOST_RACES; race++) {
    const startedAt = now().getTime();
    const head = await store.head(trail);
    if (head === undefined) throw trailRemoved(trail);
    const kept = await (full ? readHeadToReplace : readRemoteHead)(trails, name);
    const remote = kept?.head;
    if (remote !== undefined) await options.checkHead?.(remote);
    const nothing = { trail, checkpoints: 0, sizeBytes: 0, head, isMerged: false };
    if (remote?.head === head && !full) return { ...nothing, outcome: "up to date" };
    const since = remote && (await lineBetween(store, remote.head, head));
    if (since?.isWhole === false) return { ...nothing, outcome: "elsewhere" };

    // Read before the packs that it tells of: what is doomed after this is noticed at the end.
    const epochNumber = doomed?.number ?? remote?.epoch ?? (await readEpoch(trails)).number;
    const { line, base } =
      remote && since && !full
        ? { line: since.checkpoints, base: remote }
        : await startAnew(store, trails, { name, head, inherits: !full && doomed === undefined });
    const sent = await sendPacks(store, trails, line, { ...options, epochNumber });
    const sizeBytes = sent.reduce((sum, pack) => sum + pack.sizeBytes, 0);
    const done = { ...nothing, checkpoints: line.length, sizeBytes };
    if (options.dryRun) return { ...done, outcome: "would push" };

    const { manifest } = base;
    const listed = await mergeRecent(trails, { manifest, recent: [...base.recent, ...sent] });
    const epoch = await readEpoch(trails);
    const isChanged = epoch.number !== epochNumber || epoch.number !== (remote?.epoch ?? epochNumber);
    const isLate = now().getTime() - startedAt > LONGEST_PUSH_MS;
    if (isLate || (isChanged && !(await areSafe(trails, listed, epoch)))) {
      if (!isLate && remote && !full && !(await areSafe(trails, base, epoch)))
        throw damagedPack("that this trail needs is gone");
      doomed = epoch;
      continue;
    }
    const move = { trail: name, head, machine, at: now().toISOString(), push: options.random() };
    if (await moveHead(trails, { ...move, epoch: epoch.number, ...listed }, kept?.version))
      return { ...done, outcome: "pushed", isMerged: listed.manifest !== manifest };
  }
  throw new CheckpointError("conflict", `Other machines kept moving "${trail}" on ${trails.remote.label}.`, {
    hint: "Try again: checkpoint push",
    details: { trail },
  });
}

interface PushStart {
  /** What has to be sent. */
  readonly line: readonly LinedUp[];
  /** What the remote has of the trail. */
  readonly base: PackList;
}

/**
 * Where a push begins that cannot build on the trail itself: with the packs of another one that it was forked from. Only
 * whole packs: what follows the last of them is sent again. Where some may be doomed nothing is inherited.
 */
async function startAnew(
  store: Store,
  trails: RemoteTrails,
  { name, head, inherits }: { name: string; head: ObjectId; inherits: boolean },
): Promise<PushStart> {
  const { checkpoints: line } = await lineBetween(store, undefined, head);
  const positions = new Map(line.map(({ id }, index) => [id, index]));
  let [recent, end]: [PackRef[], number] = [[], -1];
  for (const origin of inherits ? new Set(line.map((checkpoint) => checkpoint.trail)) : []) {
    const read = origin === name ? undefined : await readRemoteHead(trails, origin);
    const packs = read === undefined ? [] : await packsOf(trails, read.head);
    const shared = packs.findLastIndex(({ last }) => positions.has(last));
    const position = positions.get(packs[shared]?.last ?? ("" as never)) ?? -1;
    if (position > end) [recent, end] = [packs.slice(0, shared + 1), position];
  }
  const rest = end < 0 ? line : (await lineBetween(store, recent.at(-1)?.last, head)).checkpoints;
  return { line: rest, base: { manifest: null, recent } };
}

async function sendPacks(
  store: Store,
  { remote, sealing }: RemoteTrails,
  line: readonly LinedUp[],
  { full, dryRun = false, epochNumber, onProgress }: PushOptions & { readonly epochNumber: number },
): Promise<PackRef[]> {
  const sent: PackRef[] = [];
  let present: ReadonlySet<string> = new Set();
  let done = 0;
  for await (const { bytes, last, checkpoints } of buildPacks(store, line, epochNumber)) {
    // Where there are several, a push that was interrupted may have left some.
    if (sent.length === 1 && !full) present = new Set(await remote.list("packs/"));
    const isNeedless = (name: string) => dryRun || present.has(name);
    sent.push({ last, checkpoints, ...(await writeOnce({ remote, sealing }, "packs", bytes, isNeedless)) });
    done += checkpoints;
    onProgress?.(done, line.length);
  }
  return sent;
}

/** Whether all that these packs need is there, and stays there. */
async function areSafe(trails: RemoteTrails, listed: PackList, { doomed }: RepackEpoch): Promise<boolean> {
  const { remote } = trails;
  const present = new Set([...(await remote.list("packs/")), ...(await remote.list("manifests/"))]);
  const isSafe = (name: string) => present.has(name) && !Object.hasOwn(doomed, name);
  if (listed.manifest !== null && !isSafe(listed.manifest)) return false;
  return (await packsOf(trails, listed)).every(({ name }) => isSafe(name));
}
