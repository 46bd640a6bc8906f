/**
 * The fewest of these items that still fail, by delta debugging: parts are left out as long as the rest fails. What is returned
 * fails, and no single item can be left out of it, unless the tries ran out.
 */
export async function shrink<Item>(
  items: readonly Item[],
  fails: (some: readonly Item[]) => Promise<boolean>,
  mostTries = 60,
): Promise<{ readonly smallest: readonly Item[]; readonly tries: number }> {
  let smallest = items;
  let tries = 0;
  for (let parts = 2; smallest.length > 1 && tries < mostTries;) {
    const size = Math.ceil(smallest.length / parts);
    let found: readonly Item[] | undefined;
    for (let from = 0; from < smallest.length && found === undefined && tries < mostTries; from += size) {
      const rest = smallest.filter((_, index) => index < from || index >= from + size);
      tries++;
      if (await fails(rest)) found = rest;
    }
    if (found !== undefined) {
      smallest = found;
      parts = Math.max(2, parts - 1);
    } else if (size === 1) break;
    else parts = Math.min(smallest.length, parts * 2);
  }
  return { smallest, tries };
}
