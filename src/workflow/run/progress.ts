import { isReady } from "./advance.ts";
import { isMet, statesOf, type Run } from "./run-state.ts";

export interface RunProgress {
  /** Steps that are done or skipped. */
  readonly completed: number;
  readonly total: number;
  readonly percent: number;
  /** Steps that run, or would run next. */
  readonly next: readonly string[];
}

/** How far a run is. Joins count as little as they are: not at all. */
export function progressOf(run: Run): RunProgress {
  const states = statesOf(run);
  const next: string[] = [];
  let completed = 0;
  let total = 0;
  for (const [index, step] of run.definition.entries()) {
    if (step.kind === "join") continue;
    total++;
    const state = states[index]!;
    if (isMet(step, state)) completed++;
    else if (state.status !== "pending" || isReady(step, run)) next.push(step.id);
  }
  return { completed, total, percent: total === 0 ? 100 : Math.floor((completed / total) * 100), next };
}
