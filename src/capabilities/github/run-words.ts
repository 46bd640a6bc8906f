import { clip, oneLine } from "../../core/text/visible.ts";
import { formatDuration } from "../../core/text/duration.ts";
import { progressOf } from "../workflow/run/progress.ts";
import { type Run, statesOf, stepsWith } from "../workflow/run/run-state.ts";

/** What is said of a run elsewhere. */
export interface ReportedRun {
  /** `4 of 7 steps, waits for approval of deploy` */
  readonly title: string;
  readonly steps: readonly { readonly id: string; readonly status: string; readonly words: string }[];
}

export function reportOf(run: Run): ReportedRun {
  const { completed, total } = progressOf(run);
  const asked = stepsWith(run, "awaiting_approval").map(({ id }) => oneLine(id));
  const isAnswered = asked.length === 0 && run.status === "awaiting_approval";
  const status = isAnswered ? "was answered and waits to be resumed" : run.status.replaceAll("_", " ");
  const stands = asked.length > 0 ? `waits for approval of ${asked.join(", ")}` : status;
  const why = run.reason === undefined ? "" : `: ${clip(oneLine(run.reason), 200)}`;
  const states = statesOf(run);
  const steps = run.definition.flatMap(({ id, kind }, place) => {
    const { status, reason, started_at, ended_at } = states[place]!;
    if (kind === "join") return [];
    const isTimed = status === "completed" && started_at !== undefined && ended_at !== undefined;
    const took = isTimed ? formatDuration(Math.max(0, Date.parse(ended_at) - Date.parse(started_at))) : "";
    const words = [took, clip(oneLine(reason ?? ""), 200)].filter(Boolean).join(" ");
    return [{ id: oneLine(id), status: status.replaceAll("_", " "), words }];
  });
  return { title: `${completed} of ${total} steps, ${stands}${why}`, steps };
}
