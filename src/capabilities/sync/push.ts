import type { ObjectId } from "../../core/objects/object-id.ts";
import { CheckpointError } from "../../core/errors.ts";
import type { Progress, Store } from "../../core/store/contract.ts";
import { trailRemoved } from "../../core/store/refusals.ts";
import { damagedPack } from "./damage.ts";
import type { PackRef, RemoteHead } from "./documents.ts";
import { lineBetween, type LinedUp } from "../../core/trails/lines/line.ts";
import { buildPacks } from "./packs/build-packs.ts";
import { LONGEST_PUSH_MS, readEpoch, type RepackEpoch } from "./packs/delete-packs.ts";
import { inheritedPacks } from "./packs/inherited-packs.ts";
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
  /** What an earlier try found to be doomed, and must not be referred to. */
  let epoch: RepackEpoch | undefined;
  for (let race = 0; race < MOST_RACES; race++) {
    const pushed = await pushOnce(store, trails, { ...options, trail, epoch });
    if ("outcome" in pushed) return pushed;
    epoch = pushed.epoch;
  }
  throw new CheckpointError("conflict", `Other machines kept moving "${trail}" on ${trails.remote.label}.`, {
    hint: "Try again: checkpoint push",
    details: { trail },
  });
}

interface PushAttempt extends PushOptions {
  readonly trail: string;
  readonly epoch: RepackEpoch | undefined;
}

/** What the next try must know: another machine moved the head, packs are about to be deleted, or it took too long. */
type Again = Pick<PushAttempt, "epoch">;

async function pushOnce(store: Store, trails: RemoteTrails, attempt: PushAttempt): Promise<Pushed | Again> {
  const { trail, full = false, now } = attempt;
  const startedAt = now().getTime();
  const local = await store.head(trail);
  if (local === undefined) throw trailRemoved(trail);
  const name = attempt.as ?? trail;
  const kept = await (full ? readHeadToReplace : readRemoteHead)(trails, name);
  const remote = kept?.head;
  if (remote !== undefined) await attempt.checkHead?.(remote);
  const nothing = { trail, checkpoints: 0, sizeBytes: 0, head: local, isMerged: false };
  if (remote?.head === local && !full) return { ...nothing, outcome: "up to date" };
  // Read before the packs that it tells of: what is doomed after this is noticed at the end.
  const epochNumber = attempt.epoch?.number ?? remote?.epoch ?? (await readEpoch(trails)).number;
  const start = await whereToStart(store, trails, { name, local, remote, attempt });
  if (start === undefined) return { ...nothing, outcome: "elsewhere" };
  const { line, base } = start;

  const sent = await sendPacks(store, trails, { ...attempt, line, epochNumber });
  const sizeBytes = sent.reduce((sum, pack) => sum + pack.sizeBytes, 0);
  const done = { ...nothing, checkpoints: line.length, sizeBytes };
  if (attempt.dryRun) return { ...done, outcome: "would push" };
  const listed = await mergeRecent(trails, { ...base, recent: [...base.recent, ...sent] });
  const epoch = await readEpoch(trails);
  if (now().getTime() - startedAt > LONGEST_PUSH_MS) return { epoch };
  const isChanged = epoch.number !== epochNumber || epoch.number !== (remote?.epoch ?? epochNumber);
  if (isChanged && !(await areSafe(trails, listed, epoch))) {
    if (remote !== undefined && !full && !(await areSafe(trails, base, epoch)))
      throw damagedPack("that this trail needs is gone");
    return { epoch };
  }
  const head: RemoteHead = {
    trail: name,
    head: local,
    machine: attempt.machine,
    at: now().toISOString(),
    push: attempt.random(),
    epoch: epoch.number,
    ...listed,
  };
  if (!(await moveHead(trails, head, kept?.version))) return { epoch: attempt.epoch };
  return { ...done, outcome: "pushed", isMerged: listed.manifest !== base.manifest };
}

/**
 * The line that has to be sent, and what the remote has of it: in this trail, or in another that it was forked from.
 * Undefined if the remote is not behind this trail.
 */
async function whereToStart(
  store: Store,
  trails: RemoteTrails,
  {
    name,
    local,
    remote,
    attempt: { full, epoch },
  }: { name: string; local: ObjectId; remote: RemoteHead | undefined; attempt: PushAttempt },
): Promise<{ line: readonly LinedUp[]; base: PackList } | undefined> {
  if (remote !== undefined) {
    const since = await lineBetween(store, remote.head, local);
    if (!since.isWhole) return undefined;
    const { manifest, recent } = remote;
    if (!full) return { line: since.checkpoints, base: { manifest, recent } };
  }
  const whole = await lineBetween(store, undefined, local);
  // Packs of another trail may be doomed: then everything is sent.
  const recent = full || epoch !== undefined ? [] : await inheritedPacks(trails, name, whole.checkpoints);
  const { checkpoints: line } =
    recent.length === 0 ? whole : await lineBetween(store, recent.at(-1)?.last, local);
  return { line, base: { manifest: null, recent } };
}

async function sendPacks(
  store: Store,
  trails: RemoteTrails,
  {
    line,
    epochNumber,
    full,
    dryRun,
    onProgress,
  }: PushAttempt & { line: readonly LinedUp[]; epochNumber: number },
): Promise<PackRef[]> {
  const sent: PackRef[] = [];
  let present: ReadonlySet<string> = new Set();
  let done = 0;
  for await (const { bytes, last, checkpoints } of buildPacks(store, line, epochNumber)) {
    // Where there are several, a push that was interrupted may have left some.
    if (sent.length === 1 && !full) present = new Set(await trails.remote.list("packs/"));
    const isNeedless = (name: string) => dryRun === true || present.has(name);
    sent.push({ last, checkpoints, ...(await writeOnce(trails, "packs", bytes, isNeedless)) });
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
