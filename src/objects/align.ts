import type { Entry } from "./entry.ts";

export interface Alignment {
  readonly isSame: (value: unknown, entry: Entry) => boolean;
  /** Encodes an element; `old` is the entry that it most likely replaces. */
  readonly encode: (value: unknown, old: Entry | undefined, index: number) => Entry;
}

/** How far ahead an insertion is looked for. Longer ones are found again at the next equal element. */
const INSERTION_LOOKAHEAD = 16;

/**
 * Pairs the elements of an array with the entries of its former self: appends, edits, insertions and
 * removals leave every other element recognised. The effort spent on looking for moved elements is
 * bounded by the length, so an array that changed completely costs no more than encoding it.
 */
export function align(
  values: readonly unknown[],
  old: readonly Entry[],
  { isSame, encode }: Alignment,
): Entry[] {
  const entries: Entry[] = [];
  let effort = 64 + 4 * old.length;
  let at = 0;
  const isSameAt = (index: number, oldIndex: number) => {
    const entry = old[oldIndex];
    return index < values.length && entry !== undefined && isSame(values[index], entry);
  };
  /** How many old entries were removed before this element. */
  const removedBefore = (index: number) => {
    for (let skipped = 1; at + skipped < old.length && effort > 0; skipped++, effort--) {
      if (isSameAt(index, at + skipped)) return skipped;
    }
    return 0;
  };
  const isInserted = (index: number) => {
    for (let ahead = 1; ahead <= INSERTION_LOOKAHEAD && effort > 0; ahead++, effort--) {
      if (isSameAt(index + ahead, at)) return true;
    }
    return false;
  };

  // The same objects as before, up to the first change: the usual case when the caller promised immutability.
  while (at < old.length && at < values.length && isSource(values[at], old[at] as Entry))
    entries.push(old[at++] as Entry);
  for (let index = at; index < values.length; index++) {
    if (at >= old.length) {
      entries.push(encode(values[index], undefined, index));
      continue;
    }
    if (isSameAt(index, at)) {
      entries.push(old[at++] as Entry);
      continue;
    }
    const isEdit = isSameAt(index + 1, at + 1);
    const removed = isEdit ? 0 : removedBefore(index);
    if (removed > 0) {
      at += removed;
      entries.push(old[at++] as Entry);
    } else if (!isEdit && isInserted(index)) {
      entries.push(encode(values[index], undefined, index));
    } else {
      entries.push(encode(values[index], old[at++], index));
    }
  }
  return entries;
}

function isSource(value: unknown, entry: Entry): boolean {
  return entry.kind !== "string" && entry.source !== undefined && entry.source === value;
}
