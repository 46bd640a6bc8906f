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

/** How far a run is. Joins do not count: they do no work. */
export function progressOf(run: Run): RunProgress {
  const found = known.get(run.steps);
  if (found?.definition === run.definition) return found.progress;
  const progress = countSteps(run);
  known.set(run.steps, { definition: run.definition, progress });
  return progress;
}

/** What was counted: a run is asked several times between two changes of its steps. */
const known = new WeakMap<
  Run["steps"],
  { readonly definition: Run["definition"]; readonly progress: RunProgress }
>();

function countSteps(run: Run): RunProgress {
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
}
