import { statSync } from "node:fs";
import { isAbsolute } from "node:path";
import type { Checkpoint } from "../../checkpoints/document.ts";
import type { WorkState } from "../../checkpoints/work-state.ts";
import { own, textOf } from "../../text/untrusted.ts";

/**
 * The last sign of a session. Its transcript grows also where nothing is saved; a checkpoint of an import says when it
 * was imported, not when the session was at work.
 */
export function lastSeen({ state, trigger, created_at }: Checkpoint<WorkState>): Date {
  const session = own(state, "session");
  const transcript = textOf(session, "transcript_path");
  const signs = [
    textOf(session, "last_seen_at"),
    trigger === "import" ? undefined : created_at,
    transcript === undefined ? undefined : modifiedAt(transcript)?.toISOString(),
  ]
    .map((sign) => (sign === undefined ? Number.NaN : Date.parse(sign)))
    .filter((time) => !Number.isNaN(time));
  return signs.length === 0 ? new Date(created_at) : new Date(Math.max(...signs));
}

/** When a file was written last; undefined when it is not there. */
export function modifiedAt(path: string): Date | undefined {
  try {
    const found = isAbsolute(path) ? statSync(path, { throwIfNoEntry: false }) : undefined;
    return found?.isFile() ? found.mtime : undefined;
  } catch {
    return undefined;
  }
}
