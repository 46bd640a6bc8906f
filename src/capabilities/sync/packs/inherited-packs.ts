import type { Descended } from "../../../core/store/contract.ts";
import type { PackRef } from "../documents.ts";
import { packsOf, readRemoteHead, type RemoteTrails } from "../remote-trails.ts";

/**
 * The packs of another trail that hold the beginning of this one, because it was forked from there. Only whole packs:
 * what follows the last of them is sent again.
 */
export async function inheritedPacks(
  trails: RemoteTrails,
  trail: string,
  line: readonly Descended[],
): Promise<PackRef[]> {
  const positions = new Map(line.map(({ id }, index) => [id, index]));
  let [best, bestPosition]: [PackRef[], number] = [[], -1];
  for (const origin of new Set(line.map((checkpoint) => checkpoint.trail))) {
    const read = origin === trail ? undefined : await readRemoteHead(trails, origin);
    const packs = read === undefined ? [] : await packsOf(trails, read.head);
    const shared = packs.findLastIndex(({ last }) => positions.has(last));
    const position = positions.get(packs[shared]?.last ?? ("" as never)) ?? -1;
    if (position > bestPosition) [best, bestPosition] = [packs.slice(0, shared + 1), position];
  }
  return best;
}
