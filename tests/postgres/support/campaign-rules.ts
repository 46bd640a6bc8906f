import assert from "node:assert/strict";

import { stateOf, type Run } from "../../../src/capabilities/workflow/run/run-state.ts";

/** A line of starts.log. */
export interface Start {
  readonly run: string;
  readonly step: string;
  readonly attempt: number;
  /** Milliseconds since 1970. */
  readonly at: number;
}

export function parseStarts(text: string): Start[] {
  return text
    .trim()
    .split("\n")
    .map((line) => {
      const [run = "", step = "", attempt, at] = line.split(" ");
      return { run, step, attempt: Number(attempt), at: Number(at) };
    });
}

/**
 * How many runs were under way at the same moment, at most: each from the start of its first step to that of its last. Only
 * attempts that counted are looked at: a worker that was frozen may start one late that others have long given up.
 */
export function mostAtOnce(runs: readonly Run[], starts: readonly Start[]): number {
  const byRun = Map.groupBy(starts, ({ run }) => run);
  const moments = runs.flatMap((run) => {
    const counted = (byRun.get(run.id) ?? []).filter(
      ({ step, attempt }) => stateOf(run, step).attempt === attempt,
    );
    const times = counted.map(({ at }) => at);
    return [
      { at: Math.min(...times), change: 1 },
      { at: Math.max(...times), change: -1 },
    ];
  });
  let [now, most] = [0, 0];
  for (const { change } of moments.toSorted((a, b) => a.at - b.at || a.change - b.change)) {
    now += change;
    most = Math.max(most, now);
  }
  return most;
}

/** The runs of a schedule that is due every so many seconds: none is left out between the first and the last. */
export function assertNoGap(ids: readonly string[], everySeconds: number): void {
  const times = ids
    .map((id) => Date.parse(id.replace(/^.*-(....)(..)(..)-(..)(..)(..)Z$/, "$1-$2-$3T$4:$5:$6Z")))
    .toSorted((a, b) => a - b);
  for (const [at, time] of times.entries())
    if (at > 0)
      assert.equal(
        time - times[at - 1]!,
        everySeconds * 1000,
        `after ${new Date(times[at - 1]!).toISOString()}`,
      );
}
