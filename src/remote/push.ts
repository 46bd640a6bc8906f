import type { ObjectId } from "../objects/object-id.ts";
import { CheckpointError } from "../errors.ts";
import type { Descended, Progress, Store } from "../store/contract.ts";
import type { PackRef, RemoteHead } from "./head-document.ts";
import { lineBetween } from "./line.ts";
import { buildPacks } from "./packs/build-packs.ts";
import { inheritedPacks } from "./packs/inherited-packs.ts";
import { mergeRecent } from "./packs/merge-packs.ts";
import {
  moveHead,
  packsOf,
  readEpoch,
  readHead,
  writeOnce,
  type ReadHead,
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
}

export interface Pushed {
  readonly trail: string;
  /** `elsewhere`: the remote has checkpoints that are not in this trail. Nothing was changed; pull first. */
  readonly outcome: "pushed" | "up to date" | "elsewhere" | "would push";
  readonly checkpoints: number;
  readonly sizeBytes: number;
  /** Where the trail stood when it was looked at. */
  readonly head: ObjectId;
}

/** Races that may be lost before something else must be wrong, and how old a push may get. */
const MOST_RACES = 8;
const TOO_OLD_MS = 24 * 60 * 60 * 1000;

/** From this many packs on it pays to ask which of them an interrupted push has left there. */
const MANY_CHECKPOINTS = 5000;

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
  for (let race = 0; race < MOST_RACES; race++) {
    const pushed = await pushOnce(store, trails, trail, options);
    if (pushed !== undefined) return pushed;
  }
  throw new CheckpointError("conflict", `Other machines kept moving "${trail}" on ${trails.remote.label}.`, {
    hint: "Try again: checkpoint push",
    details: { trail },
  });
}

/** Undefined if another machine moved the head meanwhile, or the push took too long. */
async function pushOnce(
  store: Store,
  trails: RemoteTrails,
  trail: string,
  options: PushOptions,
): Promise<Pushed | undefined> {
  const startedAt = options.now().getTime();
  const local = await store.head(trail);
  if (local === undefined) throw noTrail(trail);
  const name = options.as ?? trail;
  const remote = await readHead(trails, name);
  const epochBefore = remote?.head.epoch ?? (await readEpoch(trails)).number;
  const nothing = { trail, checkpoints: 0, sizeBytes: 0, head: local };
  if (remote?.head.head === local && !options.full) return { ...nothing, outcome: "up to date" };
  const start = await whereToStart(store, trails, {
    trail: name,
    local,
    remote,
    full: options.full === true,
  });
  if (start === undefined) return { ...nothing, outcome: "elsewhere" };
  const { line, inherited } = start;
  if (options.dryRun) return { ...nothing, checkpoints: line.length, outcome: "would push" };

  const sent = await sendPacks(store, trails, line, options);
  const packs = remote && !options.full ? remote.head.recent : inherited;
  const manifest = remote && !options.full ? remote.head.manifest : null;
  const listed = await mergeRecent(store, trails, { manifest, recent: [...packs, ...sent] });
  if (options.now().getTime() - startedAt > TOO_OLD_MS) return undefined;
  const { number: epoch } = await readEpoch(trails);
  if (epoch !== epochBefore) await assertPresent(trails, listed);
  const head: RemoteHead = {
    trail: name,
    head: local,
    machine: options.machine,
    at: options.now().toISOString(),
    push: options.random(),
    epoch,
    ...listed,
  };
  if (!(await moveHead(trails, head, remote?.version))) return undefined;
  const sizeBytes = sent.reduce((sum, pack) => sum + pack.sizeBytes, 0);
  return { trail, outcome: "pushed", checkpoints: line.length, sizeBytes, head: local };
}

interface Start {
  readonly line: readonly Descended[];
  /** Packs of another trail that this one was forked from. */
  readonly inherited: readonly PackRef[];
}

/** What has to be sent; undefined if the remote is not behind this trail. */
async function whereToStart(
  store: Store,
  trails: RemoteTrails,
  {
    trail,
    local,
    remote,
    full,
  }: { trail: string; local: ObjectId; remote: ReadHead | undefined; full: boolean },
): Promise<Start | undefined> {
  if (remote !== undefined) {
    const since = await lineBetween(store, remote.head.head, local);
    if (!since.isWhole) return undefined;
    if (!full) return { line: since.checkpoints, inherited: [] };
  }
  const { checkpoints } = await lineBetween(store, undefined, local);
  const inherited = full ? [] : await inheritedPacks(trails, trail, checkpoints);
  const last = inherited.at(-1)?.last;
  return { line: checkpoints.slice(checkpoints.findIndex(({ id }) => id === last) + 1), inherited };
}

async function sendPacks(
  store: Store,
  trails: RemoteTrails,
  line: readonly Descended[],
  { onProgress }: Progress,
): Promise<PackRef[]> {
  const known = line.length < MANY_CHECKPOINTS ? undefined : new Set(await trails.remote.list("packs/"));
  const sent: PackRef[] = [];
  let done = 0;
  for await (const { bytes, last, checkpoints } of buildPacks(store, line)) {
    sent.push({ last, checkpoints, ...(await writeOnce(trails, "packs", bytes, known)) });
    done += checkpoints;
    onProgress?.(done, line.length);
  }
  return sent;
}

/** Packs were deleted while this push was under way: are those that it refers to still there? */
async function assertPresent(
  trails: RemoteTrails,
  listed: Pick<RemoteHead, "manifest" | "recent">,
): Promise<void> {
  const present = new Set(await trails.remote.list("packs/"));
  const packs = await packsOf(trails, listed as RemoteHead);
  if (packs.every(({ name }) => present.has(name))) return;
  throw new CheckpointError(
    "conflict",
    `Packs on ${trails.remote.label} were removed while this push used them.`,
    {
      hint: "Send everything again: checkpoint push --full",
      details: { remote: trails.remote.label },
    },
  );
}

function noTrail(trail: string): CheckpointError {
  return new CheckpointError("not-found", `There is no trail "${trail}" to push.`, {
    hint: "checkpoint trails",
    details: { trail },
  });
}
