import { useEffect, useRef, useState } from "preact/hooks";

import { verb } from "./api.ts";
import { useMoves } from "./live.ts";
import type { Moment } from "./shapes.ts";
import { range } from "./words.ts";

const PAGE = 50;
/** How many are asked for when the trail moved: enough for a burst, and quick to describe. */
const NEWEST = 10;
/** Moments beyond these are forgotten, the ones loaded first before others. */
const MOST = 3000;
/** How long a fast scroll must rest on a place before it is loaded. */
const REST_MS = 60;

interface Known {
  readonly total?: number;
  /** By place from the oldest on, which stays the same while others are added. */
  readonly moments: ReadonlyMap<number, Moment>;
}

/** The moments of a trail, of which only those are loaded that are looked at. */
export function useMoments(trail: string) {
  const moves = useMoves((name) => name === trail);
  const [{ total, moments }, setKnown] = useState<Known>({ moments: new Map() });
  const [error, setError] = useState<Error>();
  // Apart, because a later answer about the trail says nothing about the moment that was looked for.
  const [notFound, setNotFound] = useState<Error>();
  const asked = useRef(new Set<number>());
  const resting = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);

  const take = async (input: object) => {
    const found = await verb("timeline", { trail, ...input });
    // Places count from the oldest, the verb's positions from the newest.
    const newest = found.total - 1 - found.from;
    setKnown((known) => {
      const next = new Map(known.moments);
      const isOther = found.checkpoints.some(
        ({ checkpoint_id }, index) =>
          (next.get(newest - index)?.checkpoint_id ?? checkpoint_id) !== checkpoint_id,
      );
      // Something was pruned, and every place is another one.
      if (isOther || found.total < (known.total ?? 0)) next.clear();
      for (const [index, moment] of found.checkpoints.entries()) next.set(newest - index, moment);
      return { total: found.total, moments: new Map([...next].slice(-MOST)) };
    });
    return found;
  };
  const load = async (page: number, known: number) => {
    if (asked.current.has(page)) return;
    asked.current.add(page);
    const size = Math.min(PAGE, known - page * PAGE);
    try {
      await take({ from: known - page * PAGE - size, limit: size });
    } finally {
      asked.current.delete(page);
    }
  };
  useEffect(() => {
    take({ limit: total === undefined ? PAGE : NEWEST }).then(() => setError(undefined), setError);
  }, [trail, moves]);
  return {
    total,
    error: notFound ?? error,
    at: (place: number) => moments.get(place),
    /** Where a checkpoint stands. Undefined, with an error to be shown, if it is not in this trail. */
    find: async (id: string) => {
      const found = await take({ around: id, limit: PAGE }).catch(() => undefined);
      const index = found?.checkpoints.findIndex(({ checkpoint_id }) => checkpoint_id === id) ?? -1;
      if (found && index >= 0) return found.total - 1 - found.from - index;
      setNotFound(new Error(`There is no checkpoint ${id} in this trail.`));
      return undefined;
    },
    /** Loads what is missing between two places, both included, and at the chosen one. */
    show: (first: number, last: number, chosen: number) => {
      clearTimeout(resting.current);
      resting.current = setTimeout(() => {
        for (const place of [chosen, ...range(first, last)])
          if (!moments.has(place)) load(Math.floor(place / PAGE), total ?? 0).catch(setError);
      }, REST_MS);
    },
  };
}
