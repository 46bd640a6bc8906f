import type { Store } from "../../store/contract.ts";
import type { PackRef, RemoteHead } from "../head-document.ts";
import { lineBetween } from "../line.ts";
import { packsOf, writeManifest, writeOnce, type RemoteTrails } from "../remote-trails.ts";
import { buildPacks } from "./build-packs.ts";

/** The packs that a head lists itself. With more, they move into a manifest of their own, merged. */
const MOST_RECENT = 8;

/** A pack is merged with those after it unless it is larger than all of them together by this factor. */
const GROWTH = 2;

type Listed = Pick<RemoteHead, "manifest" | "recent">;

/**
 * Keeps the number of packs small: it grows with the logarithm of how often was pushed, so that a clone needs few
 * requests, and each byte is sent again only a few times. The merged pack is built from the local store; where that
 * has been pruned, the packs stay as they are.
 */
export async function mergeRecent(store: Store, trails: RemoteTrails, listed: Listed): Promise<Listed> {
  if (listed.recent.length <= MOST_RECENT) return listed;
  const packs = await packsOf(trails, listed as RemoteHead);
  const kept = packs.slice(0, firstToMerge(packs));
  const merged = await merge(store, trails, kept.at(-1), packs.slice(kept.length));
  return { manifest: await writeManifest(trails, [...kept, ...merged]), recent: [] };
}

function firstToMerge(packs: readonly PackRef[]): number {
  let first = packs.length - 1;
  let size = packs[first]?.sizeBytes ?? 0;
  while (first > 0 && (packs[first - 1] as PackRef).sizeBytes <= size * GROWTH) {
    first -= 1;
    size += (packs[first] as PackRef).sizeBytes;
  }
  return first;
}

async function merge(
  store: Store,
  trails: RemoteTrails,
  before: PackRef | undefined,
  packs: readonly PackRef[],
): Promise<readonly PackRef[]> {
  const last = packs.at(-1);
  if (last === undefined || packs.length < 2) return packs;
  const { checkpoints: line, isWhole } = await lineBetween(store, before?.last, last.last);
  const listed = packs.reduce((sum, { checkpoints }) => sum + checkpoints, 0);
  if (!isWhole || line.length !== listed) return packs;
  const merged: PackRef[] = [];
  for await (const built of buildPacks(store, line)) {
    const { last: id, checkpoints } = built;
    merged.push({ last: id, checkpoints, ...(await writeOnce(trails, "packs", built.bytes)) });
  }
  return merged;
}
