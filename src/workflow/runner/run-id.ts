import { randomBytes } from "node:crypto";

/** A name for a new run: the workflow's, the time, and four random digits, because two may start in the same second. */
export function newRunId(workflow: string, now: Date): string {
  return `${workflow}-${stamp(now)}-${randomBytes(2).toString("hex")}`;
}

/** The name that a run is archived under: `{run}_{timestamp}`. */
export function archiveName(run: string, now: Date): string {
  return `${run}_${stamp(now)}`;
}

function stamp(now: Date): string {
  return now.toISOString().replaceAll(/[-:]/g, "").replace("T", "-").slice(0, 15);
}
