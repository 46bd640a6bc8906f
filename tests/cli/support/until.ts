import { setTimeout as wait } from "node:timers/promises";

const STEP_MS = 20;

/** Waits until something has happened; fails with words when it does not within the time that any machine needs. */
export async function until(what: string, hasHappened: () => boolean, limitMs = 20_000): Promise<void> {
  for (let waitedMs = 0; !hasHappened(); waitedMs += STEP_MS) {
    if (waitedMs > limitMs) throw new Error(`It never happened: ${what}`);
    await wait(STEP_MS);
  }
}
