import type { Entry } from "./entry.ts";
import { fingerprintOf, fingerprintOfEntry, type Fingerprint } from "./fingerprint.ts";

export interface Alignment {
  readonly isSame: (value: unknown, entry: Entry, index: number) => boolean;
  /** The former elements, if they are promised to be as they were: then equal references need no look at the entries. */
  readonly sources: readonly unknown[] | undefined;
  /** Encodes an element; `old` is the entry that it most likely replaces. */
  readonly encode: (value: unknown, old: Entry | undefined, index: number) => Entry;
}

/** How many elements in a row may be edited, inserted or removed before all old entries are put into a map. */
const WINDOW = 16;

/** How many entries with the right fingerprint are compared with an element. */
const CANDIDATES = 4;

export interface Aligned {
  readonly entries: readonly Entry[];
  /** How many entries at the front are the old ones, in their old places. */
  readonly same: number;
}

/**
 * Pairs the elements of an array with the entries of its former self: appends, edits, insertions, removals and moves
 * leave every other element recognised. Each element is compared with a bounded number of entries, so an array that
 * changed completely costs little more than encoding it.
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
  while (same < mostSources && values[same] === sources[same]) same++;
  while (same < most && isSame(values[same], old[same] as Entry, same)) same++;
  return same;
}

/** The entry that an element was, or, if it is not the same, most likely replaces; no place for an insertion. */
interface Found {
  readonly place: number | undefined;
  readonly isSame: boolean;
}

const INSERTED: Found = { place: undefined, isSame: false };

class Search {
  readonly #values: readonly unknown[];
  readonly #old: readonly Entry[];
  readonly #isSame: Alignment["isSame"];
  #places: Map<Fingerprint, number[]> | undefined;

  constructor(values: readonly unknown[], old: readonly Entry[], { isSame }: Alignment) {
    this.#values = values;
    this.#old = old;
    this.#isSame = isSame;
  }

  /** Looks for the element at `index`, which is not the same as the entry that would be next, at `at`. */
  find(index: number, at: number): Found {
    if (at >= this.#old.length && !this.#places) return INSERTED;
    if (this.#isSameAt(index + 1, at + 1)) return { place: at, isSame: false };
    return (this.#places ? undefined : this.#findNearby(index, at)) ?? this.#findAnywhere(index, at);
  }

  #isSameAt(index: number, place: number): boolean {
    const entry = this.#old[place];
    return (
      index < this.#values.length && entry !== undefined && this.#isSame(this.#values[index], entry, index)
    );
  }

  #findNearby(index: number, at: number): Found | undefined {
    for (let distance = 1; distance <= WINDOW; distance++) {
      if (this.#isSameAt(index + distance, at)) return INSERTED;
      if (this.#isSameAt(index, at + distance)) return { place: at + distance, isSame: true };
      if (this.#isSameAt(index + distance, at + distance)) return { place: at, isSame: false };
    }
    // So close to the end that a map would find no more.
    return this.#old.length - at <= WINDOW ? { place: at, isSame: false } : undefined;
  }

  #findAnywhere(index: number, at: number): Found {
    this.#places ??= placesOf(this.#old);
    const places = this.#places.get(fingerprintOf(this.#values[index]));
    // An element like no other: a change of what stood here, or something new. The next one that is known will tell.
    if (places === undefined) return at < this.#old.length ? { place: at, isSame: false } : INSERTED;
    const first = firstFrom(places, at);
    for (let candidate = first; candidate < first + CANDIDATES; candidate++) {
      const place = places[candidate % places.length] as number;
      if (this.#isSameAt(index, place)) return { place, isSame: true };
    }
    return { place: places[first % places.length], isSame: false };
  }
}

function placesOf(old: readonly Entry[]): Map<Fingerprint, number[]> {
  const places = new Map<Fingerprint, number[]>();
  for (const [place, entry] of old.entries()) {
    const fingerprint = fingerprintOfEntry(entry);
    const list = places.get(fingerprint);
    if (list) list.push(place);
    else places.set(fingerprint, [place]);
  }
  return places;
}

/** Where in an ascending list the first number that is not below `least` stands. */
function firstFrom(list: readonly number[], least: number): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((list[middle] as number) < least) low = middle + 1;
    else high = middle;
  }
  return low;
}
