import { byIdOf } from "./advance.ts";
import { isMet, stateOf, type Run } from "./run-state.ts";

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
  const counted = run.definition.filter((step) => step.kind !== "join");
  const completed = counted.filter((step) => isMet(step, stateOf(run, step.id))).length;
  const byId = byIdOf(run);
  const isFree = (needs: readonly string[]) =>
    needs.every((id) => !byId.has(id) || isMet(byId.get(id)!, stateOf(run, id)));
  const open = counted.filter((step) => !isMet(step, stateOf(run, step.id)));
  const next = open.filter((step) => stateOf(run, step.id).status !== "pending" || isFree(step.needs));
  const percent = counted.length === 0 ? 100 : Math.floor((completed / counted.length) * 100);
  return { completed, total: counted.length, percent, next: next.map((step) => step.id) };
}
