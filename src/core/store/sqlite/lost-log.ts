import { createHash } from "node:crypto";
import { constants, copyFileSync, readFileSync, rmSync } from "node:fs";

import { CheckpointError, isCheckpointError } from "../../errors.ts";
import type { Marked } from "./mark.ts";
import { sizeOf } from "../private-files.ts";

/** The error for a store that lacks a commit that was acknowledged. What is left of its log is copied first. */
export function lossFound(store: string, marked: Marked, found: Marked): CheckpointError {
  const log = keepLog(store);
  const what =
    found.storeId === marked.storeId
      ? `commit ${marked.sequence} was saved in it, and is not there any more (its last one is ${found.sequence})`
      : "it is another store than the one that was used here before";
  const details = { path: store, marked: marked.sequence, found: found.sequence, lost: true, log };
  return new CheckpointError("corrupt", `The store "${store}" has lost commits: ${what}.`, {
    hint: `Its log is damaged or missing, it was copied while in use, or an older copy took its place. If you have a better copy, put it back. ${remedy(log)}`,
    details,
  });
}

function remedy({ copy, problem }: KeptLog): string {
  if (problem !== null)
    return `What is left of its log could not be copied aside (${problem}): make room, or make the folder writable, and try again.`;
  const kept = copy === null ? "" : ` (the log is kept as "${copy}")`;
  return `To continue with what is left: checkpoint doctor --accept-loss${kept}\nTo copy all that can be read into a new store first: checkpoint store salvage`;
}

export const isLossFound = (error: unknown) =>
  isCheckpointError(error, "corrupt") && error.details.lost === true;

/** Whether the only copy of the log is beside the store: SQLite would delete it when the store is closed. */
export function isLogAtRisk(error: unknown): boolean {
  return isLossFound(error) && ((error as CheckpointError).details.log as KeptLog).problem !== null;
}

interface KeptLog {
  /** Null when there is nothing to keep. */
  readonly copy: string | null;
  /** Why it could not be copied. */
  readonly problem: string | null;
}

/** Keeps what is left of the log for a person to look at, named by its content: the same log is kept once. */
function keepLog(store: string): KeptLog {
  const log = `${store}-wal`;
  const length = sizeOf(log);
  if (length === 0) return { copy: null, problem: null };
  try {
    const name = createHash("sha256").update(readFileSync(log)).digest("hex").slice(0, 16);
    const copy = `${store}-lost-log-${name}`;
    if (sizeOf(copy) !== length) {
      // Not written over: it might be a link to a file elsewhere.
      rmSync(copy, { force: true });
      copyFileSync(log, copy, constants.COPYFILE_EXCL);
    }
    return { copy, problem: null };
  } catch (error) {
    return { copy: null, problem: (error as Error).message };
  }
}
