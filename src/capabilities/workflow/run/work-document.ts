import { emptyWorkState, type Phase } from "../../../work/state/work-state.ts";
import type { Json } from "../../../core/objects/json.ts";
import { kept } from "./kept.ts";
import { progressOf } from "./progress.ts";
import { resumeCommandOf } from "./resume-command.ts";
import { isMet, stateOf, stepsWith, type Run, type RunDocument } from "./run-state.ts";

/**
 * The work state that belongs to a run, so that a handoff says what is going on. Unchanged parts keep their
 * identity, so that a commit costs what changed.
 */
export function documentOf(run: Run, before?: RunDocument): RunDocument {
  const base = before ?? {
    ...emptyWorkState(),
    variables: { ...run.inputs },
    goal: goalOf(run),
    run,
  };
  const { phase, completed } = phasesOf(run);
  const { next, percent, completed: done, total } = progressOf(run);
  const document: RunDocument = {
    ...base,
    phases_completed: sameOr(base.phases_completed, completed),
    approvals_pending: sameOr(base.approvals_pending, questionsOf(run)),
    next_action: nextAction(run, next, `${done} of ${total} steps done, ${percent} %`) + missingFiles(run),
    run,
  };
  if (phase) document.phase = sameOr(base.phase, phase);
  return document;
}

function goalOf({ workflow, request, inputs }: Run): string {
  const values = Object.entries(inputs).map(([name, value]) => `${name}: ${value}`);
  return `${request ?? `Finish the workflow "${workflow}"`}${values.length === 0 ? "" : ` (${values.join(", ").slice(0, 300)})`}`;
}

function nextAction(run: Run, next: readonly string[], progress: string): string {
  const { id, status, reason } = run;
  const command = resumeCommandOf(run);
  if (status === "cancelled" || status === "archived")
    return `Nothing: the run was ${status}, so it cannot be resumed (${[reason?.split("\n")[0], progress].filter(Boolean).join(" ")}).`;
  if (status === "completed") return `Nothing: the run is complete (${progress}).`;
  if (status === "awaiting_approval")
    return `A person decides (checkpoint approve ${id}, or reject), then ${command} (${progress}).`;
  if (status === "failed")
    return `Fix what went wrong (${(reason ?? "see runs show").split("\n")[0]}), then ${command} (${progress}).`;
  return `Continue with ${next.slice(0, 3).join(", ") || "the run"}: ${command} (${progress}).`;
}

/** The next agent must know that files of the imported steps are missing. */
function missingFiles({ missing_at_import: missing = [] }: Run): string {
  if (missing.length === 0) return "";
  return ` Missing when it was imported: ${missing.slice(0, 5).join(", ")}${missing.length > 5 ? " …" : ""}.`;
}

function questionsOf(run: Run): Json[] {
  return stepsWith(run, "awaiting_approval").map((step) => ({
    run: run.id,
    step: step.id,
    question: step.question ?? step.id,
    ...(step.options && { options: [...step.options] }),
  }));
}

/** The steps of each phase. Kept, because every commit of a run asks. */
const phasesIn = kept((definition: Run["definition"]) => {
  const named = definition.filter((step) => step.phase !== undefined);
  return [...Map.groupBy(named, (step) => step.phase as string)];
});

/** Phases in the order of the definition. The first that is not done is the current one. */
function phasesOf(run: Run): { phase?: Phase; completed: string[] } {
  const phases = phasesIn(run.definition).map(([name, steps]) => {
    const isDone = steps.every((step) => isMet(step, stateOf(run, step.id)));
    return { name, steps, isDone };
  });
  const completed = phases.filter(({ isDone }) => isDone).map(({ name }) => name);
  const current = phases.find(({ isDone }) => !isDone) ?? phases.at(-1);
  if (current === undefined) return { completed };
  const { name, steps, isDone } = current;
  const states = steps.map(({ id }) => stateOf(run, id));
  const started_at = states.flatMap((state) => state.started_at ?? []).toSorted()[0] ?? null;
  let status: Phase["status"] = started_at === null ? "pending" : "in_progress";
  if (states.some((state) => state.status === "failed")) status = "failed";
  if (isDone) status = "completed";
  const number = phases.indexOf(current) + 1;
  return { phase: { name, number, status, started_at, notes: null }, completed };
}

function sameOr<T>(before: unknown, now: T): T {
  return JSON.stringify(before) === JSON.stringify(now) ? (before as T) : now;
}
