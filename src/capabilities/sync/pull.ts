import { readCheckpoint } from "../../core/trails/document.ts";
import { commitOfPresent, type OtherLine, type KeptCommit } from "../../core/trails/lines/kept-lines.ts";
import { isKnown, isPartOf } from "../../core/trails/lines/line.ts";
import { parseTrailName } from "../../core/trails/names.ts";
import { linksOf } from "../../core/objects/object-format.ts";
import type { ObjectId } from "../../core/objects/object-id.ts";
import type { Progress, Store } from "../../core/store/contract.ts";
import { HIDDEN_PREFIX } from "../../core/store/hidden-trails.ts";
import { isStaleReference, staleReference } from "../../core/store/refusals.ts";
import { damagedPack } from "./damage.ts";
import type { RemoteHead } from "./documents.ts";
import { decodeSection, sectionsOf, type PackedCheckpoint, type Section } from "./packs/pack.ts";
import { packsOf, readRemoteHead, readOnce, type RemoteTrails } from "./remote-trails.ts";

export interface Pulled {
  readonly trail: string;
  readonly outcome: "new" | "fast-forwarded" | "up to date" | "ahead" | "diverged" | "not there";
  readonly checkpoints: number;
  /** Where the remote stands. */
  readonly remote: RemoteHead | undefined;
  /** The other line of a trail that went on in both places. */
  readonly other?: OtherLine | undefined;
}

export interface PullOptions extends Progress {
  /** Pulls of different remotes do not meet. */
  readonly remoteName: string;
  /** Lines that may hold a part of it already. */
  readonly kept?: readonly string[] | undefined;
  /** The head as it was read a moment ago. */
  readonly head?: RemoteHead | undefined;
  /** Called when everything has come, right before the trail moves. If it fails, the trail stays. */
  readonly beforeMove?: (() => Promise<void>) | undefined;
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
  const remote = options.head ?? (await readRemoteHead(trails, trail))?.head;
  const local = await store.head(trail);
  if (remote === undefined) return { trail, outcome: "not there", checkpoints: 0, remote };
  const answer = { trail, checkpoints: 0, remote };
  if (remote.head === local) return { ...answer, outcome: "up to date" };
  if (await isPartOf(store, remote.head, local)) return { ...answer, outcome: "ahead" };

  const staging = `${HIDDEN_PREFIX}pull/${options.remoteName}/${trail}`;
  // A trail that is new here may begin in one that is not: what it was forked from.
  const known = local === undefined ? [undefined, staging] : [trail, staging, ...(options.kept ?? [])];
  const gathering = { remote, staging, known, onProgress: options.onProgress };
  const { checkpoints, last } = await gather(store, trails, gathering).catch(async (error: unknown) => {
    if (!isStaleReference(error)) throw error;
    // What it builds on was pruned here, or stands in another line: then everything comes again.
    await store.remove({ trails: [staging] });
    return gather(store, trails, { ...gathering, known: [staging] });
  });
  const isForward = local === undefined || (await isPartOf(store, local, remote.head));
  if (!isForward)
    return { ...answer, checkpoints, outcome: "diverged", other: { staging, last, machine: remote.machine } };
  const adopts = (await store.head(staging)) === undefined ? undefined : staging;
  await options.beforeMove?.();
  await store.commit({ ...last, trail, head: { from: local }, adopts, revives: true });
  return { ...answer, checkpoints, outcome: local === undefined ? "new" : "fast-forwarded" };
}

interface Gathered {
  /** How many of them are new to this store. */
  readonly checkpoints: number;
  /** The remote's head once more, ready to be committed to the trail that adopts the others. */
  readonly last: KeptCommit;
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
  const missing = await afterKnown(store, packs, known);
  let isPassedOver = missing.length < packs.length;
  const total = missing.reduce((sum, { checkpoints }) => sum + checkpoints, 0);
  let from = await store.head(staging);
  let [done, fresh] = [0, 0];
  for (const { name, last } of missing) {
    const sections = sectionsOf(await readOnce(trails, name));
    if (sections.at(-1)?.last !== last) throw damagedPack("lacks the checkpoint that it should end with");
    const wanted = await afterKnown(store, sections, known);
    isPassedOver ||= wanted.length < sections.length;
    for (const section of wanted) {
      for (const checkpoint of await openSection(store, section)) {
        if (await isIn(store, checkpoint.id, staging)) continue;
        const commit = await commitOf(store, checkpoint);
        const { predecessor } = commit.checkpoint;
        // What was passed over ends with a checkpoint that is here, but in a line that lacks others of it.
        if (isPassedOver && known.length > 1 && predecessor && !commit.parent)
          throw staleReference(predecessor);
        if (!(await isIn(store, checkpoint.id, undefined))) fresh += 1;
        await store.commit({ ...commit, trail: staging, head: { from } });
        from = checkpoint.id;
        done += 1;
        onProgress?.(done, total);
      }
    }
  }
  if (!(await isKnown(store, remote.head))) throw damagedPack("lacks the head of its trail");
  return { checkpoints: fresh, last: await commitOfPresent(store, remote.head) };
}

/** The packs, or sections of one, that follow the last one whose end this store has, or had until it was pruned. */
async function afterKnown<Part extends { readonly last: ObjectId }>(
  store: Store,
  parts: readonly Part[],
  known: Gathering["known"],
): Promise<readonly Part[]> {
  for (let index = parts.length - 1; index >= 0; index--) {
    const { last } = parts[index] as Part;
    const pruned = (await store.tombstone(last))?.trail;
    for (const trail of known)
      if ((pruned !== undefined && pruned === trail) || (await isIn(store, last, trail)))
        return parts.slice(index + 1);
  }
  return parts;
}

async function isIn(store: Store, id: ObjectId, trail: string | undefined): Promise<boolean> {
  return (await store.find({ idPrefix: id, limit: 1, ...(trail !== undefined && { trail }) })).length > 0;
}

async function openSection(store: Store, section: Section): Promise<PackedCheckpoint[]> {
  const found = await store.readObjects(section.bases);
  const bases = section.bases.map((id) => {
    const bytes = found.get(id);
    if (bytes === undefined) throw staleReference(id);
    return { id, bytes };
  });
  return decodeSection(section, bases);
}

/** A checkpoint from a pack, ready to be committed to a trail. */
export async function commitOf(
  store: Store,
  { id, bytes, objects, after, foreignId, records }: PackedCheckpoint,
): Promise<KeptCommit> {
  const { info } = readCheckpoint(id, bytes);
  // A parent is named to the store only if the store can tell what became of it.
  let parent: ObjectId | undefined;
  for (const named of [info.parent_hash, after]) if (named && (await isKnown(store, named))) parent ??= named;
  return {
    objects: objects.map((object) => ({ ...object, links: linksOf(object.bytes) })),
    checkpoint: { id, bytes, links: linksOf(bytes), predecessor: info.parent_hash ?? undefined },
    parent,
    createdAt: Date.parse(info.created_at),
    foreignId,
    records,
    bytesAreFinal: true,
  };
}
