import { constants, copyFileSync, readFileSync } from "node:fs";

import { CheckpointError, isCheckpointError } from "../../errors.ts";
import type { Marked } from "./mark.ts";
import { sizeOf } from "./store-files.ts";

/** So many logs of one store can be kept; nobody loses more. */
const MOST_COPIES = 100;

/** The error for a store that lacks a commit that was acknowledged. What is left of its log is copied first. */
export function lossFound(store: string, marked: Marked, found: Marked): CheckpointError {
  const log = keepLog(store, marked);
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
  return `To continue with what is left: checkpoint doctor --accept-loss${kept}`;
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

/** Keeps what is left of the log for a person to look at. A copy of the same log is made once. */
function keepLog(store: string, { sequence }: Marked): KeptLog {
  const log = `${store}-wal`;
  if (sizeOf(log) === 0) return { copy: null, problem: null };
  for (let number = 1; number <= MOST_COPIES; number++) {
    const copy = `${store}-lost-log-${sequence}${number === 1 ? "" : `-${number}`}`;
    try {
      copyFileSync(log, copy, constants.COPYFILE_EXCL);
      return { copy, problem: null };
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code !== "EEXIST") return { copy: null, problem: message };
      if (isSameFile(copy, log)) return { copy, problem: null };
    }
  }
  return { copy: null, problem: `there are ${MOST_COPIES} copies already` };
}

function isSameFile(one: string, other: string): boolean {
  try {
    return readFileSync(one).equals(readFileSync(other));
  } catch {
    return false;
  }
}
