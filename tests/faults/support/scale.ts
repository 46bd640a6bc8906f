/** `CAIRN_FAULTS=full npm test -- faults` injects many more faults than there is time for in a normal run. */
const isFull = process.env["CAIRN_FAULTS"] === "full";

export function scaled(quick: number, full: number): number {
  return isFull ? full : quick;
}

/** How long a test may take: the machine may be busy with other tests. */
export const TIMEOUT_MS: number = scaled(300_000, 3_600_000);

/** Prints what a full run found: these lines are the numbers of docs/reliability.md. */
export function report(line: string): void {
  if (isFull) console.log(`faults: ${line}`);
}

/** A test that cannot run here says so where nobody can miss it. */
export function skipLoudly(what: string, why: string): true {
  console.warn(`\nSKIPPED, NOT TESTED HERE: ${what}\n  because ${why}\n`);
  return true;
}
