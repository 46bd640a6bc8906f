import { descendantsOf } from "../definition/graph.ts";
import type { Step, Workflow } from "../definition/types.ts";
import { opinionOf } from "./review.ts";
import { isDone, stateOf, withSteps, type Run, type RunnerIdentity, type StepState } from "./run-state.ts";

/** After this many crashes in a row without progress, only a person can resume the run. */
const MAX_CRASHES = 3;

export interface Takeover {
  readonly epoch: number;
  readonly runner: RunnerIdentity;
  /** A person asked for it: failures and crashes are counted from zero again. */
  readonly isExplicit: boolean;
  readonly definition?: Pick<Workflow, "steps" | "jobs"> | undefined;
  readonly jobs?: number | undefined;
}

/** Prepares a run for a new runner: failed steps may run again, and an edited definition takes effect. Pure. */
export function reopen(run: Run, { epoch, runner, isExplicit, definition, jobs }: Takeover): Run {
  // A run whose status is running, although no runner holds it, has crashed.
  const crashes = isExplicit ? 0 : run.status === "running" ? run.crashes + 1 : run.crashes;
  const { reason: _, ...rest } = run;
  const opened: Run = {
    ...rest,
    epoch,
    runner,
    crashes,
    status: "running",
    definition: definition?.steps ?? run.definition,
    jobs: jobs ?? definition?.jobs ?? run.jobs,
  };
  if (crashes >= MAX_CRASHES) {
    return {
      ...opened,
      status: "paused",
      reason: `${crashes} crashes in a row without a completed step.`,
    };
  }
  return withSteps(opened, isExplicit ? secondChances(opened) : {});
}

/** Failed steps run again; after a failed review, so do the reviewers who did not approve. */
function secondChances(run: Run): Record<string, StepState> {
  const changed: Record<string, StepState> = {};
  const again = ({ id }: Pick<Step, "id">) => {
    const { decision: _, ...state } = stateOf(run, id);
    changed[id] = { ...state, status: "pending", failures: 0 };
  };
  for (const step of run.definition) {
    const state = stateOf(run, step.id);
    if (state.status === "waiting") changed[step.id] = { ...state, failures: 0 };
    if (state.status !== "failed" || step.reviewer !== undefined) continue;
    again(step);
    for (const id of step.review?.reviewers ?? [])
      if (opinionOf(id, run).verdict !== "approve") again({ id });
  }
  return changed;
}

/** Asks again, because the approved files have changed. */
export function askAgain(run: Run, steps: readonly Step[]): Run {
  const changed = steps.map(({ id }) => {
    const { decision: _, result: __, ...state } = stateOf(run, id);
    return [
      id,
      { ...state, status: "pending" as const, reason: "What was approved has changed since." },
    ] as const;
  });
  return withSteps(run, Object.fromEntries(changed));
}

/** Where a fork of a run continues: after a step (null: from the start), or by repeating the step itself. */
export type ForkPoint = { readonly after: string | null } | { readonly redo: string };

/** Drops the results of everything that follows, and lists its files as stale. Pure. */
export function dropAfter(run: Run, point: ForkPoint): Run {
  const dropped = droppedBy(run, point);
  const steps = run.steps.filter(({ id }) => !dropped.has(id));
  const artifacts = Object.values(run.artifacts);
  const stale = artifacts.filter((artifact) => dropped.has(artifact.step)).map(({ path }) => path);
  const kept = artifacts.filter((artifact) => !dropped.has(artifact.step));
  const { reason: _, ...rest } = run;
  return {
    ...rest,
    status: "paused",
    steps,
    artifacts: Object.fromEntries(kept.map((artifact) => [artifact.path, artifact])),
    stale_files: [...new Set([...(run.stale_files ?? []), ...stale])],
    crashes: 0,
  };
}

function droppedBy(run: Run, point: ForkPoint): Set<string> {
  const everything = new Set(run.definition.map((step) => step.id));
  if ("redo" in point) return new Set([point.redo, ...descendantsOf(point.redo, run.definition)]);
  if (point.after === null) return everything;
  const dropped = descendantsOf(point.after, run.definition);
  // What was not finished in the old line is not finished in the new one either.
  for (const id of everything) if (!isDone(run, id)) dropped.add(id);
  return dropped;
}
