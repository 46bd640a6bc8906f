/** `CAIRN_FAULTS=full npm test -- faults` injects many more faults than there is time for in a normal run. */
const isFull = process.env["CAIRN_FAULTS"] === "full";

export function scaled(quick: number, full: number): number {
  return isFull ? full : quick;
}

/** How long a test may take: the machine may be busy with other tests. */
export const TIMEOUT_MS: number = scaled(300_000, 3_600_000);

/**
 * Prints what a full run found, as "how many: what came of it": these lines are the numbers of docs/reliability.md. What
 * happens to the store, in words for somebody who never saw this test, goes before it.
 */
export function report(line: string, fault?: string): void {
  if (isFull) console.log(`faults: ${fault === undefined ? "" : `${fault} | `}${line}`);
}

/** A test that cannot run here says so where nobody can miss it. */
export function skipLoudly(what: string, why: string): true {
  console.warn(`\nSKIPPED, NOT TESTED HERE: ${what}\n  because ${why}\n`);
  return true;
}
