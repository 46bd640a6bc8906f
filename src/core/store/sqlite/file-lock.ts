import { CheckpointError } from "../../errors.ts";
import { DatabaseSync } from "./node-sqlite.ts";
import { isBusy } from "./sqlite-error.ts";

/** Held until it is released or the process dies in any way: then the kernel releases it. */
export interface FileLock {
  release(): void;
}

/**
 * Locks a file that is there and empty; undefined when another process held it for all of `patienceMs`.
 *
 * The lock is SQLite's own: the one lock in plain Node that works on every system, that the kernel releases when its
 * holder dies, and that the holder's children do not inherit.
 */
export function lockFile(path: string, patienceMs: number): FileLock | undefined {
  let database: InstanceType<typeof DatabaseSync> | undefined;
  try {
    const held = (database = new DatabaseSync(path));
    held.exec(`PRAGMA busy_timeout = ${patienceMs}; BEGIN EXCLUSIVE`);
    return { release: () => held.close() };
  } catch (error) {
    database?.close();
    if (isBusy(error)) return undefined;
    throw lockFailed(path, error);
  }
}

export function lockFailed(path: string, cause: unknown): CheckpointError {
  const reason = (cause instanceof Error ? cause.message : String(cause)).replace(/\.$/, "");
  return new CheckpointError("failed", `The lock "${path}" cannot be used: ${reason}.`, {
    hint: "Check the disk: checkpoint doctor",
    details: { path },
    cause,
  });
}
