import { readiness } from "./advance.ts";
import { kept } from "./kept.ts";
import { isMet, statesOf, type Run } from "./run-state.ts";

export interface RunProgress {
  /** Steps that are done or skipped. */
  readonly completed: number;
  readonly total: number;
  readonly percent: number;
  /** Steps that run, or would run next. */
  readonly next: readonly string[];
}

/** How far a run is. Joins do not count: they do no work. Kept, because a run is asked several times for each commit. */
export const progressOf = kept((run: Run): RunProgress => {
  const next: string[] = [];
  const isReady = readiness(run);
  let completed = 0;
  let total = 0;
  const states = statesOf(run);
  for (let position = 0; position < states.length; position++) {
    const step = run.definition[position]!;
    const state = states[position]!;
    if (step.kind === "join") continue;
    total++;
    if (isMet(step, state)) completed++;
    else if (state.status !== "pending" || isReady(position)) next.push(step.id);
  }
  return { completed, total, percent: total === 0 ? 100 : Math.floor((completed / total) * 100), next };
});
