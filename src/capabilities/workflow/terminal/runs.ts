import { oneLine } from "../../../core/text/visible.ts";
import type { RunSummary } from "../runner/find-runs.ts";
import type { Style } from "../../../work/terminal/output.ts";
import { statusText } from "../../../work/terminal/signs.ts";
import { ago } from "../../../core/text/time.ts";

/** A run in a list: name, state, how far it is, when it moved, and what there is to know. */
export function runRow(
  run: RunSummary,
  { now, style, archived }: { now: Date; style: Style; archived: boolean },
): string[] {
  return [
    style.bold(oneLine(run.id)),
    statusText(run.status, style),
    run.status === "corrupt" ? "" : `${run.completed} of ${run.total}`,
    run.status === "corrupt" ? "" : ago(run.updated_at, now),
    archived ? style.dim(`as ${oneLine(run.archived_as ?? "?")}`) : essence(run),
  ];
}

function essence({ status, reason, next }: RunSummary): string {
  const [first = ""] = (reason ?? "").split("\n");
  if (["failed", "paused", "cancelled", "corrupt"].includes(status) && first !== "") return oneLine(first);
  if (next.length === 0 || status === "completed") return "";
  const names = next.slice(0, 3).map(oneLine).join(", ");
  const more = next.length > 3 ? ` + ${next.length - 3} more` : "";
  if (status === "awaiting_approval") return `waiting for a person: ${names}${more}`;
  return `${status === "running" ? "at" : "next:"} ${names}${more}`;
}
