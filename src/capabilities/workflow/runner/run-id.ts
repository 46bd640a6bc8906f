import { randomBytes } from "node:crypto";

import { CheckpointError } from "../../../core/errors.ts";

/** Whether a text can be the name of a run: it becomes the name of a trail and of a folder. */
export const isRunId = (text: string): boolean =>
  /^[A-Za-z0-9_](?:[\w.~-]{0,126}[\w-])?$/.test(text) && !text.includes("..");

/** The name that was given to a new run, if it can be one. */
export function checkRunId(id: string): string {
  if (isRunId(id)) return id;
  throw new CheckpointError("usage", `"${id.slice(0, 100)}" is not a name for a run.`, {
    hint: "Use letters, digits, - and _, as in login-1.",
    details: { run: id },
  });
}

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
