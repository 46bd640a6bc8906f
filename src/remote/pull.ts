import { readCheckpoint } from "../checkpoints/document.ts";
import { parseTrailName } from "../checkpoints/names.ts";
import { CheckpointError } from "../errors.ts";
import { linksOf } from "../objects/object-format.ts";
import type { ObjectId } from "../objects/object-id.ts";
import type { Commit, Progress, Store } from "../store/contract.ts";
import { HIDDEN_PREFIX } from "../store/hidden-trails.ts";
import { damagedPack } from "./damaged-pack.ts";
import type { PackRef, RemoteHead } from "./head-document.ts";
import { lineBetween } from "./line.ts";
import { basesOf, decodePack, type Base, type PackedCheckpoint } from "./packs/pack.ts";
import { packsOf, readHead, readOnce, type RemoteTrails } from "./remote-trails.ts";

export interface Pulled {
  readonly trail: string;
  readonly outcome: "new" | "fast-forwarded" | "up to date" | "ahead" | "diverged" | "not there";
  readonly checkpoints: number;
  /** Where the remote stands. */
  readonly remote: RemoteHead | undefined;
  /** The other line of a trail that went on in both places. */
  readonly other?: OtherLine | undefined;
}

/** What a remote has of a diverged trail, gathered in a hidden trail; `keepLine` makes it visible. */
export interface OtherLine {
  readonly staging: string;
  /** Its head, ready to be committed to the trail that keeps it. */
  readonly last: TrailCommit;
}

export interface PullOptions extends Progress {
  /** Pulls of different remotes do not meet. */
  readonly remoteName: string;
  /** Trails that may hold a part of it already. */
  readonly kept?: readonly string[] | undefined;
  /** The head as it was read a moment ago. */
  readonly head?: RemoteHead | undefined;
}

/**
 * Brings what a remote has of a trail into the store. It is gathered in a hidden trail, every object checked against its
 * name, and becomes the trail's in one step, if the trail's own head is part of it. A pull that was interrupted goes on
 * where it stopped. A trail that went on in both places is left as it is: `diverged`.
 */
export async function pullTrail(
  store: Store,
  trails: RemoteTrails,
  trail: string,
  options: PullOptions,
): Promise<Pulled> {
  parseTrailName(trail);
  const remote = options.head ?? (await readHead(trails, trail))?.head;
  const local = await store.head(trail);
  if (remote === undefined) return { trail, outcome: "not there", checkpoints: 0, remote };
  const answer = { trail, checkpoints: 0, remote };
  if (remote.head === local) return { ...answer, outcome: "up to date" };
  if (local !== undefined && (await lineBetween(store, remote.head, local)).isWhole)
    return { ...answer, outcome: "ahead" };

  const staging = `${HIDDEN_PREFIX}pull/${options.remoteName}/${trail}`;
  // A trail that is new here may begin in one that is not: what it was forked from.
  const known = local === undefined ? [undefined, staging] : [trail, staging, ...(options.kept ?? [])];
  const gathered = await gather(store, trails, { remote, staging, known, onProgress: options.onProgress });
  const isForward = local === undefined || (await lineBetween(store, local, remote.head)).isWhole;
  const { checkpoints, last } = gathered;
  if (!isForward) return { ...answer, checkpoints, outcome: "diverged", other: { staging, last } };
  const adopts = (await store.head(staging)) === undefined ? undefined : staging;
  await store.commit({ ...last, trail, head: { from: local }, adopts, revives: true });
  return { ...answer, checkpoints, outcome: local === undefined ? "new" : "fast-forwarded" };
}

type TrailCommit = Omit<Commit, "trail" | "head">;

interface Gathered {
  readonly checkpoints: number;
  /** The remote's head once more, ready to be committed to the trail that adopts the others. */
  readonly last: TrailCommit;
}

interface Gathering extends Progress {
  readonly remote: RemoteHead;
  readonly staging: string;
  /** Where a checkpoint may stand that need not be read again; undefined for any trail. */
  readonly known: readonly (string | undefined)[];
}

/** Commits the checkpoints that this store lacks to the staging trail. */
async function gather(
  store: Store,
  trails: RemoteTrails,
  { remote, staging, known, onProgress }: Gathering,
): Promise<Gathered> {
  const packs = await packsOf(trails, remote);
  const missing = packs.slice((await lastPresent(store, packs, known)) + 1);
  const total = missing.reduce((sum, { checkpoints }) => sum + checkpoints, 0);
  let from = await store.head(staging);
  let done = 0;
  for (const { name, last } of missing) {
    for (const checkpoint of await readPack(store, trails, name)) {
      done += 1;
      if (await isIn(store, checkpoint.id, staging)) continue;
      await store.commit({ ...(await commitOf(store, checkpoint)), trail: staging, head: { from } });
      from = checkpoint.id;
      onProgress?.(done, total);
    }
    if (from !== last && !(await isIn(store, last, staging)))
      throw damagedPack("lacks the checkpoint that it should end with");
  }
  const [head] = await store.lineage(remote.head, { limit: 1 });
  if (head === undefined) throw damagedPack("lacks the head of its trail");
  const { id, bytes, foreignId, parent, createdAt } = head;
  const checkpoint = { id, bytes, links: linksOf(bytes) };
  return { checkpoints: done, last: { objects: [], checkpoint, parent, createdAt, foreignId } };
}

/** The newest pack whose last checkpoint is here already. */
async function lastPresent(
  store: Store,
  packs: readonly PackRef[],
  known: Gathering["known"],
): Promise<number> {
  for (let index = packs.length - 1; index >= 0; index--) {
    const { last } = packs[index] as PackRef;
    for (const trail of known) if (await isIn(store, last, trail)) return index;
  }
  return -1;
}

async function isIn(store: Store, id: ObjectId, trail: string | undefined): Promise<boolean> {
  return (await store.find({ idPrefix: id, limit: 1, ...(trail !== undefined && { trail }) })).length > 0;
}

async function readPack(store: Store, trails: RemoteTrails, name: string): Promise<PackedCheckpoint[]> {
  const bytes = await readOnce(trails, name);
  const ids = basesOf(bytes);
  const found = await store.readObjects(ids);
  const bases = ids.map((id): Base => {
    const base = found.get(id);
    if (base === undefined) throw missingBase(id);
    return { id, bytes: base };
  });
  return decodePack(bytes, bases);
}

async function commitOf(
  store: Store,
  { id, bytes, objects, foreignId, records }: PackedCheckpoint,
): Promise<TrailCommit> {
  const { info } = readCheckpoint(id, bytes);
  const isKnown = info.parent_hash !== null && (await isPresent(store, info.parent_hash));
  return {
    objects: objects.map((object) => ({
      id: object.id,
      bytes: object.bytes,
      links: linksOf(object.bytes),
      predecessor: object.like,
    })),
    checkpoint: { id, bytes, links: linksOf(bytes), predecessor: info.parent_hash ?? undefined },
    parent: isKnown ? (info.parent_hash ?? undefined) : undefined,
    createdAt: Date.parse(info.created_at),
    foreignId,
    records,
    bytesAreFinal: true,
  };
}

/** A parent is named to the store only if the store can tell what became of it. */
async function isPresent(store: Store, id: ObjectId): Promise<boolean> {
  return (await store.readObjects([id])).size > 0 || (await store.tombstone(id)) !== undefined;
}

function missingBase(id: ObjectId): CheckpointError {
  return new CheckpointError(
    "failed",
    "The remote's newest pack builds on checkpoints that were pruned here.",
    {
      hint: "Bring the trail in under a new store: checkpoint clone URL",
      details: { object: id },
    },
  );
}
