import { progressOf } from "../run/progress.ts";
import { stateOf, statesOf, type Run } from "../run/run-state.ts";
import type { RunTrigger } from "./run-journal.ts";

/** Why this checkpoint is taken, and in words what it holds. For failures: what to do now. */
export function notesOn(before: Run, after: Run): { trigger: RunTrigger; notes: string } {
  const states = statesOf(after);
  const former = before.definition === after.definition ? statesOf(before) : undefined;
  const changed = after.definition.filter(
    (step, index) => (former?.[index] ?? stateOf(before, step.id)) !== states[index],
  );
  const now = (status: string) =>
    changed.filter((step) => stateOf(after, step.id).status === status).map((step) => step.id);
  const { completed, total } = progressOf(after);
  const done = now("completed");
  const failed = [...now("failed"), ...now("waiting")];
  const words = [
    done.length > 0 && `done: ${list(done)}`,
    failed.length > 0 && `failed: ${list(failed)}`,
    now("awaiting_approval").length > 0 && `asks: ${list(now("awaiting_approval"))}`,
    now("running").length > 0 && `starts: ${list(now("running"))}`,
  ].filter(Boolean);
  const notes = `${after.workflow} ${completed}/${total}; ${words.join("; ") || after.status}${recovery(after)}`;
  const isDecision = changed.some((step) => step.kind === "approval");
  const trigger =
    failed.length > 0 || after.status === "failed"
      ? "error"
      : isDecision
        ? "approval"
        : done.length > 0
          ? "step"
          : "run";
  return { trigger, notes };
}

const list = (ids: readonly string[]) =>
  ids.length <= 4 ? ids.join(", ") : `${ids.slice(0, 3).join(", ")} and ${ids.length - 3} more`;

function recovery({ status, id, reason }: Run): string {
  if (status === "completed" || status === "running") return "";
  if (status === "awaiting_approval") return `. Decide: checkpoint approve ${id}`;
  const why = reason === undefined ? "" : ` (${reason.split("\n")[0]})`;
  return `. ${status}${why}. Recover: repair the cause, then checkpoint resume ${id}`;
}
