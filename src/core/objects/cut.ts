import type { CutSizes } from "./limits.ts";

/** What a cut looks at: how long an item is, and a hash that stays the same while the item keeps its name. */
export interface Cuttable {
  readonly size: number;
  readonly boundaryHash: number;
}

/** Where a run ends (exclusive), and whether at a boundary: an open run ends only because the items do. */
export interface RunEnd {
  readonly end: number;
  readonly closed: boolean;
  /** The sum of the items' sizes. */
  readonly size: number;
}

/** An open run that goes on: items from `end` on are looked at, those before it have this size together. */
export type OpenRun = Pick<RunEnd, "end" | "size">;

/**
 * Where a run ends that begins at `open.end`, or, if it has a size already, goes on there.
 *
 * The decision depends only on the items of the run, so a run whose items did not change is cut the
 * same way again, and an insertion or a trim moves no boundary beyond the next one. The chance of a cut
 * after an item grows with the item's size: runs have about the same length whatever their items are.
 */
export function endOfRun(
  open: OpenRun,
  count: number,
  at: (index: number) => Cuttable,
  sizes: CutSizes,
): RunEnd {
  let length = open.size;
  for (let index = open.end; index < count; index++) {
    const { size, boundaryHash } = at(index);
    length += size;
    const isBoundary = length >= sizes.min && boundaryHash * sizes.target < size * 2 ** 32;
    if (isBoundary || length >= sizes.max) return { end: index + 1, closed: true, size: length };
  }
  return { end: count, closed: false, size: length };
}

/** FNV-1a with a final mix. Long texts count by their ends: an edit in the middle moves no boundary. */
export function boundaryHashOf(text: string): number {
  let state = 0x811c9dc5;
  const end = text.length;
  for (let index = 0; index < end; index++) {
    if (index === 48 && end > 96) index = end - 48;
    state = Math.imul(state ^ text.charCodeAt(index), 0x01000193);
  }
  state = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
  state = Math.imul(state ^ (state >>> 13), 0xc2b2ae35);
  return (state ^ (state >>> 16)) >>> 0;
}
