import { readiness } from "./advance.ts";
import { isMet, statesOf, type Run } from "./run-state.ts";

export interface RunProgress {
  /** Steps that are done or skipped. */
  readonly completed: number;
  readonly total: number;
  readonly percent: number;
  /** Steps that run, or would run next. */
  readonly next: readonly string[];
}

// States are never mutated, and every commit asks several times.
const known = new WeakMap<
  object,
  { readonly definition: Run["definition"]; readonly progress: RunProgress }
>();

/** How far a run is. Joins do not count: they are no work. */
export function progressOf(run: Run): RunProgress {
  const found = known.get(run.steps);
  if (found?.definition === run.definition) return found.progress;
  const progress = countSteps(run);
  known.set(run.steps, { definition: run.definition, progress });
  return progress;
}

function countSteps(run: Run): RunProgress {
  const states = statesOf(run);
  const next: string[] = [];
  const isReady = readiness(run);
  let completed = 0;
  let total = 0;
  for (let position = 0; position < states.length; position++) {
    const step = run.definition[position]!;
    if (step.kind === "join") continue;
    total++;
    const state = states[position]!;
    if (isMet(step, state)) completed++;
    else if (state.status !== "pending" || isReady(position)) next.push(step.id);
  }
  return { completed, total, percent: total === 0 ? 100 : Math.floor((completed / total) * 100), next };
}
