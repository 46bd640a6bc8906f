import { useEffect, useRef, useState } from "preact/hooks";

import { verb } from "./api.ts";
import type { LogEntry } from "./shapes.ts";

interface Timeline {
  readonly total: number;
  readonly from: number;
  readonly checkpoints: readonly LogEntry[];
}

const PAGE = 50;
/** Pages beyond these are forgotten, the ones loaded first before others. */
const MOST_PAGES = 60;

/** How long a fast scroll must rest on a place before it is loaded. */
const REST_MS = 60;

export interface Moments {
  readonly total: number | undefined;
  readonly error: Error | undefined;
  /** A moment by its place from the oldest on, which stays the same while others are added. */
  readonly at: (place: number) => LogEntry | undefined;
  /** Loads what is missing between two places, both included. */
  readonly show: (first: number, last: number) => void;
  /** Where a checkpoint stands; undefined when it is not in this trail. */
  readonly find: (id: string) => Promise<number | undefined>;
}

/** The moments of a trail, of which only those are loaded that are looked at. */
export function useMoments(trail: string, moves: number): Moments {
  const [total, setTotal] = useState<number>();
  const [error, setError] = useState<Error>();
  const [pages, setPages] = useState<ReadonlyMap<number, readonly LogEntry[]>>(new Map());
  const asked = useRef(new Map<number, number>());
  const resting = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);

  const take = async (input: object) => {
    const found = await verb<Timeline>("timeline", { trail, limit: PAGE, ...input });
    setTotal((known) => {
      // Fewer than before: something was pruned, and every place is another one.
      if (known !== undefined && found.total < known) {
        asked.current = new Map();
        setPages(new Map());
      }
      return found.total;
    });
    return found;
  };
  const load = async (page: number, known: number): Promise<void> => {
    const size = Math.min(PAGE, known - page * PAGE);
    asked.current.set(page, size);
    // Places count from the oldest, the verb's positions from the newest.
    const found = await take({ from: known - page * PAGE - size, limit: size });
    if (found.total > known) return load(page, found.total);
    const entries = found.checkpoints.toReversed();
    setPages((old) => {
      const all = [...old, [page, entries] as const];
      for (const [forgotten] of all.slice(0, -MOST_PAGES)) asked.current.delete(forgotten);
      return new Map(all.slice(-MOST_PAGES));
    });
  };
  useEffect(() => {
    take({ limit: 1 }).catch(setError);
  }, [trail, moves]);
  return {
    total,
    error,
    at: (place) => pages.get(Math.floor(place / PAGE))?.[place % PAGE],
    find: async (id) => {
      const found = await take({ around: id });
      const index = found.checkpoints.findIndex(({ checkpoint_id }) => checkpoint_id === id);
      return index < 0 ? undefined : found.total - 1 - found.from - index;
    },
    show: (first, last) => {
      clearTimeout(resting.current);
      resting.current = setTimeout(() => {
        if (total === undefined || total === 0) return;
        for (let page = Math.floor(first / PAGE); page <= Math.floor(last / PAGE); page++) {
          const isWhole = asked.current.get(page) === Math.min(PAGE, total - page * PAGE);
          if (!isWhole) load(page, total).catch(setError);
        }
      }, REST_MS);
    },
  };
}
