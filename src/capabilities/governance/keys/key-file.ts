import { closeSync, fstatSync, openSync, readFileSync } from "node:fs";
import type { Environment } from "../../../work/machine/environment.ts";
import { statePath } from "../../../work/machine/folders.ts";
import { CheckpointError } from "../../../core/errors.ts";

/** Whose keys: the user's state folder is found in the environment. */
export interface KeyOwner {
  readonly env: Environment;
  /** Undefined on systems without numeric user ids. */
  readonly userId: number | undefined;
}

/** A file of governance in the user's state folder, which is outside of every project. */
export function stateFile({ env }: Pick<KeyOwner, "env">, ...path: readonly string[]): string {
  const file = statePath(env, ...path);
  if (file !== undefined) return file;
  throw new CheckpointError("missing-dependency", "Governance needs a folder for its keys.", {
    hint: "Set $HOME, or $XDG_STATE_HOME, to a folder of your own.",
  });
}

/** A private file, or undefined if there is none. Refuses one that others could have written or can read. */
export function readPrivate(path: string, { userId }: KeyOwner): string | undefined {
  let file: number;
  try {
    file = openSync(path, "r");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw unreadable(path, error);
  }
  try {
    const { uid, mode } = fstatSync(file);
    if (userId !== undefined && (uid !== userId || (mode & 0o077) !== 0)) throw notPrivate(path);
    return readFileSync(file, "utf8");
  } finally {
    closeSync(file);
  }
}

/** A file that is empty, or holds a part of what was written, or something else: a crash, a full disk or a person did that. */
export function damaged(path: string, what: string, hint: string): CheckpointError {
  return new CheckpointError("corrupt", `${what} is damaged: "${path}"`, { hint, details: { path } });
}

function notPrivate(path: string): CheckpointError {
  return new CheckpointError("refused", `"${path}" is not private: others own it, or can read it.`, {
    hint: "A key that others can read proves nothing. Look at who owns it: ls -l, then chmod 600.",
    details: { path },
  });
}

function unreadable(path: string, cause: unknown): CheckpointError {
  return new CheckpointError("refused", `"${path}" cannot be read.`, {
    hint: "It belongs to the user who answers for the agents: sign as that user (checkpoint authority sign).",
    details: { path },
    cause,
  });
}
