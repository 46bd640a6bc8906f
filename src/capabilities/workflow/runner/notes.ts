import { progressOf } from "../run/progress.ts";
import { changedSteps, stateOf, type Run } from "../run/run-state.ts";
import type { RunTrigger } from "./run-journal.ts";

/** Why this checkpoint is taken, and what happened, in words. For failures: what to do now. */
export function notesOn(before: Run, after: Run): { trigger: RunTrigger; notes: string } {
  const changed = changedSteps(before, after);
  const now = (status: string) =>
    changed.filter((step) => stateOf(after, step.id).status === status).map((step) => step.id);
  const { completed, total } = progressOf(after);
  const done = now("completed");
  const failed = [...now("failed"), ...now("waiting")];
  const parts = { done, failed, asks: now("awaiting_approval"), starts: now("running") };
  const words = Object.entries(parts).flatMap(([what, ids]) =>
    ids.length > 0 ? [`${what}: ${list(ids)}`] : [],
  );
  const notes = `${after.workflow} ${completed}/${total}; ${[...words, ...endOf(after)].join("; ") || after.status}`;
  if (failed.length > 0 || after.status === "failed") return { trigger: "error", notes };
  if (changed.some((step) => step.kind === "approval")) return { trigger: "approval", notes };
  return { trigger: done.length > 0 ? "step" : "run", notes };
}

const list = (ids: readonly string[]) =>
  ids.length <= 4 ? ids.join(", ") : `${ids.slice(0, 3).join(", ")} and ${ids.length - 3} more`;

/** How a run stopped, and how it goes on. */
function endOf({ status, id, reason }: Run): string[] {
  if (status === "completed" || status === "running") return [];
  if (status === "awaiting_approval") return [`a person decides: checkpoint approve ${id}`];
  const why = reason?.split("\n")[0]?.replace(/\.$/, "");
  if (status === "failed") return [why ?? status, `fix the cause, then checkpoint resume ${id}`];
  return [why === undefined ? status : `${status} (${why})`, `to continue: checkpoint resume ${id}`];
}
