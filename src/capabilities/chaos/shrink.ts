/**
 * The fewest of these items that still fail: each is left out as long as the rest fails. What is returned fails, and no single
 * item can be left out of it, unless the tries ran out. Schedules are short, so nothing cleverer is needed.
 */
export async function shrink<Item>(
  items: readonly Item[],
  fails: (some: readonly Item[]) => Promise<boolean>,
  mostTries = 60,
): Promise<{ readonly smallest: readonly Item[]; readonly tries: number }> {
  let smallest = items;
  let tries = 0;
  for (let index = 0; smallest.length > 1 && index < smallest.length && tries < mostTries; tries++) {
    const rest = smallest.toSpliced(index, 1);
    if (await fails(rest)) {
      smallest = rest;
      index = 0;
    } else index++;
  }
  return { smallest, tries };
}
