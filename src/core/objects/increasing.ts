/** The positions of a longest strictly increasing subsequence: the most that can stay while the others move. */
export function longestIncreasing(values: readonly number[]): Set<number> {
  // For each length, where the subsequence of that length with the smallest last value ends.
  const ends: number[] = [];
  const previous: number[] = [];
  for (const [at, value] of values.entries()) {
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((values[ends[middle] as number] as number) < value) low = middle + 1;
      else high = middle;
    }
    previous[at] = low > 0 ? (ends[low - 1] as number) : -1;
    ends[low] = at;
  }
  const chosen = new Set<number>();
  for (let at = ends.at(-1) ?? -1; at >= 0; at = previous[at] as number) chosen.add(at);
  return chosen;
}

/** Pairs equal keys of two lists in the same order; what pairs is a longest common subsequence when keys are unique. */
export function commonInOrder(
  from: readonly string[],
  to: readonly string[],
): { from: number; to: number }[] {
  const places = new Map<string, number[]>();
  for (let at = to.length - 1; at >= 0; at--) {
    const list = places.get(to[at] as string);
    if (list) list.push(at);
    else places.set(to[at] as string, [at]);
  }
  const pairs: { from: number; to: number }[] = [];
  for (const [at, key] of from.entries()) {
    const place = places.get(key)?.pop();
    if (place !== undefined) pairs.push({ from: at, to: place });
  }
  const kept = longestIncreasing(pairs.map((pair) => pair.to));
  return pairs.filter((_, at) => kept.has(at));
}
