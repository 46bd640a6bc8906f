import { setTimeout as wait } from "node:timers/promises";

const STEP_MS = 20;
/** Longer than any machine needs, however busy it is. */
const LIMIT_MS = 60_000;

/** Waits until something has happened; fails with words when it never does. */
export async function until(what: string, hasHappened: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + LIMIT_MS;
  for (;;) {
    const asked = performance.now();
    if (await hasHappened()) return;
    if (performance.now() > deadline) throw new Error(`It never happened: ${what}`);
    // Asking may run a command: those who wait must not be what keeps the machine busy.
    await wait(Math.max(STEP_MS, 4 * (performance.now() - asked)));
  }
}
