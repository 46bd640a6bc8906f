import { setTimeout as wait } from "node:timers/promises";

const STEP_MS = 20;
/** Longer than any machine needs, however busy it is. */
const LIMIT_MS = 60_000;

/** Waits until something has happened; fails with words when it never does. */
export async function until(what: string, hasHappened: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + LIMIT_MS;
  while (!(await hasHappened())) {
    if (performance.now() > deadline) throw new Error(`It never happened: ${what}`);
    await wait(STEP_MS);
  }
}
