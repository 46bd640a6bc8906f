import type { Entry } from "./entry.ts";

export interface Alignment {
  readonly isSame: (value: unknown, entry: Entry, index: number) => boolean;
  /** The former elements, if they are promised to be as they were: then equal references need no look at the entries. */
  readonly sources: readonly unknown[] | undefined;
  /** Encodes an element; `old` is the entry that it most likely replaces. */
  readonly encode: (value: unknown, old: Entry | undefined, index: number) => Entry;
}

/** How many comparisons there are at most, for each element and each entry. Almost all end at the first field. */
const COMPARISONS_EACH = 8;

export interface Aligned {
  readonly entries: readonly Entry[];
  /** How many entries at the front are the old ones, in their old places. */
  readonly same: number;
}

/**
 * Pairs the elements of an array with the entries of its former self: appends, edits, insertions and removals leave every
 * other element recognised. What was moved is encoded again, to the same objects. The number of comparisons is bounded,
 * so an array that changed completely costs little more than encoding it.
 */
export function align(values: readonly unknown[], old: readonly Entry[], alignment: Alignment): Aligned {
  const same = sameFirst(values, old, alignment);
  const rest = alignRest(values, old, same, alignment);
  // Copied once: these are the longest lists of all.
  const entries = (same === old.length ? old : old.slice(0, same)).concat(rest);
  return { entries, same };
}

function alignRest(
  values: readonly unknown[],
  old: readonly Entry[],
  same: number,
  alignment: Alignment,
): Entry[] {
  const entries: Entry[] = [];
  const search = new Search(values, old, alignment);
  for (let index = same, at = same; index < values.length; index++) {
    const next = old[at];
    if (next && alignment.isSame(values[index], next, index)) {
      entries.push(next);
      at++;
      continue;
    }
    const { place, isSame } = search.find(index, at);
    const found = place === undefined ? undefined : old[place];
    entries.push(found && isSame ? found : alignment.encode(values[index], found, index));
    if (place !== undefined) at = place + 1;
  }
  return entries;
}

/** How many elements at the front are as before: the same objects, or with the same content. */
function sameFirst(
  values: readonly unknown[],
  old: readonly Entry[],
  { sources = [], isSame }: Alignment,
): number {
  const most = Math.min(values.length, old.length);
  const mostSources = Math.min(most, sources.length);
  let same = 0;
  // For strings V8 calls a comparison of texts for ===, but looks at the references first for Object.is: adding to a
  // list of 100,000 strings takes 0.85 times the processor time.
  while (same < mostSources && Object.is(values[same], sources[same])) same++;
  while (same < most && isSame(values[same], old[same] as Entry, same)) same++;
  return same;
}

/** The entry that an element was, or, if it is not the same, most likely replaces; no place for an insertion. */
interface Found {
  readonly place: number | undefined;
  readonly isSame: boolean;
}

const INSERTED: Found = { place: undefined, isSame: false };

/** Finds where elements and entries are the same again after a change. */
class Search {
  readonly #values: readonly unknown[];
  readonly #old: readonly Entry[];
  readonly #isSame: Alignment["isSame"];
  /** Up to which element all are insertions, or changes of the entries in their places, as was found before. */
  #insertedUntil = 0;
  #changedUntil = 0;
  #comparisonsLeft: number;

  constructor(values: readonly unknown[], old: readonly Entry[], { isSame }: Alignment) {
    this.#values = values;
    this.#old = old;
    this.#isSame = isSame;
    this.#comparisonsLeft = COMPARISONS_EACH * (values.length + old.length);
  }

  /** Looks for the element at `index`, which is not the same as the entry that would be next, at `at`. */
  find(index: number, at: number): Found {
    if (at >= this.#old.length || index < this.#insertedUntil) return INSERTED;
    const changed = { place: at, isSame: false };
    if (index < this.#changedUntil) return changed;
    const furthest = Math.max(this.#values.length - index, this.#old.length - at);
    for (let distance = 1; distance < furthest && this.#comparisonsLeft > 0; distance++) {
      this.#comparisonsLeft -= 3;
      if (this.#isSameAt(index + distance, at + distance)) {
        this.#changedUntil = index + distance;
        return changed;
      }
      if (this.#isSameAt(index, at + distance)) return { place: at + distance, isSame: true };
      if (this.#isSameAt(index + distance, at)) {
        this.#insertedUntil = index + distance;
        return INSERTED;
      }
    }
    return changed;
  }

  #isSameAt(index: number, place: number): boolean {
    const entry = this.#old[place];
    return (
      index < this.#values.length && entry !== undefined && this.#isSame(this.#values[index], entry, index)
    );
  }
}
