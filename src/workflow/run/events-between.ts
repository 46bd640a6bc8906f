import type { RunEvent } from "./events.ts";
import type { Step } from "../definition/types.ts";
import { stateOf, statesOf, type Decision, type Run, type StepState } from "./run-state.ts";

/** What happened between two states of a run, whoever moved it. Starts are not in it: only the runner knows them. */
export function eventsBetween(before: Run, after: Run): RunEvent[] {
  if (before.steps === after.steps) return [];
  const states = statesOf(after);
  const former = before.definition === after.definition ? statesOf(before) : undefined;
  const events: RunEvent[] = [];
  // Without a list for each step, most of which have not changed: long runs ask after every one of them.
  for (const [index, step] of after.definition.entries()) {
    const old = former?.[index] ?? stateOf(before, step.id);
    const now = states[index]!;
    if (old !== now) events.push(...stepEvents(step, now, after, old));
  }
  return events;
}

function stepEvents(step: Step, state: StepState, run: Run, old: StepState): RunEvent[] {
  const about = { run: run.id, step: step.id };
  const { attempt, decision, reason = "" } = state;
  if (step.kind === "approval" && decision && !isSame(old.decision, decision)) {
    const { approved, by, option = null, reason: why = null } = decision;
    return [{ type: "approval-decided", ...about, approved, by, option, reason: why }];
  }
  if (old.status === state.status) return [];
  switch (state.status) {
    case "completed":
      return [
        {
          type: "step-completed",
          ...about,
          attempt,
          adopted: state.adopted === true,
          duration_ms: durationOf(state),
          result: state.result ?? null,
          artifacts: Object.values(run.artifacts).filter((artifact) => artifact.step === step.id),
        },
      ];
    case "skipped":
      return [{ type: "step-skipped", ...about, reason }];
    case "failed":
    case "waiting":
      return [{ type: "step-failed", ...about, attempt, reason, retry_at: state.retry_at ?? null }];
    case "awaiting_approval":
      return [
        {
          type: "approval-asked",
          ...about,
          question: step.question ?? step.id,
          options: step.options ?? [],
          reason: state.reason ?? null,
        },
      ];
    case "pending":
      return old.status === "running" ? [{ type: "step-interrupted", ...about, attempt, reason }] : [];
    case "running":
      break;
  }
  return [];
}

/** By what it says: a run that was read again has objects of its own. */
function isSame(old: Decision | undefined, { at, by, approved }: Decision): boolean {
  return old !== undefined && old.at === at && old.by === by && old.approved === approved;
}

function durationOf({ started_at, ended_at }: StepState): number {
  return started_at === undefined || ended_at === undefined
    ? 0
    : Math.max(0, Date.parse(ended_at) - Date.parse(started_at));
}
