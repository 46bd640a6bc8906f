import { setTimeout as wait } from "node:timers/promises";

export interface RepeatOptions {
  readonly pauseMs: number;
  readonly signal: AbortSignal;
  readonly onError: (error: unknown) => void;
}

/** Again and again until the signal, whatever happens: a server that is down comes back. */
export async function repeat(
  work: () => Promise<void>,
  { pauseMs, signal, onError }: RepeatOptions,
): Promise<void> {
  while (!signal.aborted) {
    await wait(pauseMs, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    await work().catch(onError);
  }
}
