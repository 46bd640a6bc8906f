import { isAbsolute } from "node:path";
import { statIfAny } from "../../capture/files/read-bounded.ts";
import type { Checkpoint } from "../../checkpoints/document.ts";
import type { WorkState } from "../../checkpoints/work-state.ts";
import { own, textOf } from "../../text/untrusted.ts";

/**
 * The last sign of life of a session. Its transcript grows even when nothing is saved; an import's checkpoint tells when
 * it was imported, not when the session worked.
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

/** When a file was last written; undefined if there is none. */
export function modifiedAt(path: string): Date | undefined {
  const found = isAbsolute(path) ? statIfAny(path) : undefined;
  return found?.isFile() ? found.mtime : undefined;
}
