import { setTimeout as wait } from "node:timers/promises";
import type { Context } from "./context.ts";

interface InterruptibleWait {
  readonly signal: AbortSignal;
  isOver(): boolean;
  wait(ms: number): Promise<unknown>;
}

/** Waiting that Ctrl-C ends at once; it is over for good then. */
export function interruptibleWait({ onInterrupt }: Context): InterruptibleWait {
  const stop = new AbortController();
  onInterrupt(() => stop.abort());
  const { signal } = stop;
  return {
    signal,
    isOver: () => signal.aborted,
    wait: (ms) => wait(ms, undefined, { signal }).catch(() => undefined),
  };
}
