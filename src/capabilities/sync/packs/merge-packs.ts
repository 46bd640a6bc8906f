import { manifestDocument, type PackRef } from "../documents.ts";
import { FULL_BYTES } from "./build-packs.ts";
import { packsOf, readOnce, writeOnce, type PackList, type RemoteTrails } from "../remote-trails.ts";

/** The packs that a head lists itself. With more, they move into a manifest of their own, merged. */
const MOST_RECENT = 4;

/** A pack is merged with those after it unless it is larger than all of them together by this factor. */
const GROWTH = 2;

/**
 * Keeps the number of packs small: it grows with the logarithm of the number of pushes, so that a clone needs few
 * requests, and each byte is sent again only a few times. Packs are joined as they are, because the local store may
 * have been pruned since.
 */
export async function mergeRecent(trails: RemoteTrails, listed: PackList): Promise<PackList> {
  if (listed.recent.length <= MOST_RECENT) return listed;
  const packs = await packsOf(trails, listed);
  const first = firstToMerge(packs);
  const merged = await merge(trails, packs.slice(first));
  const bytes = manifestDocument.encode([...packs.slice(0, first), ...merged]);
  return { manifest: (await writeOnce(trails, "manifests", bytes)).name, recent: [] };
}

function firstToMerge(packs: readonly PackRef[]): number {
  let first = packs.length;
  let size = 0;
  for (const { sizeBytes } of packs.toReversed()) {
    const isLarger = size > 0 && sizeBytes > size * GROWTH;
    if (isLarger || sizeBytes + size > FULL_BYTES) break;
    first -= 1;
    size += sizeBytes;
  }
  return first;
}

async function merge(trails: RemoteTrails, packs: readonly PackRef[]): Promise<readonly PackRef[]> {
  const last = packs.at(-1);
  if (last === undefined || packs.length < 2) return packs;
  const contents = await Promise.all(packs.map(({ name }) => readOnce(trails, name)));
  const written = await writeOnce(trails, "packs", Buffer.concat(contents));
  const checkpoints = packs.reduce((sum, pack) => sum + pack.checkpoints, 0);
  return [{ ...written, last: last.last, checkpoints }];
}
