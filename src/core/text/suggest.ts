/** The one of `known` that was probably meant, if any is close enough. */
export function suggest(typed: string, known: readonly string[]): string | undefined {
  const limit = Math.max(1, Math.floor(typed.length / 3));
  const scored = known
    .map((candidate) => ({ candidate, distance: distanceBetween(typed.toLowerCase(), candidate) }))
    .filter(
      ({ candidate, distance }) => distance <= limit || (typed.length > 2 && candidate.startsWith(typed)),
    );
  return scored.toSorted((a, b) => a.distance - b.distance)[0]?.candidate;
}

/** How many letters must be added, dropped, changed or swapped with their neighbour to get from one to the other. */
export function distanceBetween(from: string, to: string): number {
  let [beforeLast, last]: [number[], number[]] = [
    [],
    Array.from({ length: to.length + 1 }, (_, index) => index),
  ];
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const cost = from[row - 1] === to[column - 1] ? 0 : 1;
      let best = Math.min(last[column]! + 1, current[column - 1]! + 1, last[column - 1]! + cost);
      const isSwapped =
        row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      if (isSwapped) best = Math.min(best, beforeLast[column - 2]! + 1);
      current.push(best);
    }
    [beforeLast, last] = [last, current];
  }
  return last[to.length]!;
}
