import { CheckpointError, isCheckpointError, messageOf } from "../../core/errors.ts";

/** Any error as one of ours: what the operating system refuses in words, everything else as a bug. */
export function explainError(error: unknown): CheckpointError {
  return isCheckpointError(error) ? error : explain(error);
}

/** Errors of the operating system are not our bugs, and have their own words. */
const WORDS: Readonly<Record<string, readonly [what: string, hint: string]>> = {
  EACCES: ["cannot be used: permission denied", "Check who owns it and its permissions: checkpoint doctor"],
  EPERM: ["cannot be changed: permission denied", "Check who owns it and its permissions: checkpoint doctor"],
  EROFS: ["is on a read-only disk", "Work in a folder that can be written."],
  ENOSPC: ["cannot be written: the disk is full", "Free at least 1 MB of disk space, then try again."],
  EDQUOT: ["cannot be written: your disk quota is used up", "Free some disk space, then try again."],
  EIO: ["cannot be read or written: the disk reported an error", "Check the disk: checkpoint doctor"],
  ENOENT: ["does not exist", "Check the path."],
  ENOTDIR: ["is not inside a folder", "Check the path."],
  EISDIR: ["is a folder, not a file", "Check the path."],
  EEXIST: ["is already there", "Choose another name."],
};

const NOT_FOUND: ReadonlySet<string | undefined> = new Set(["ENOENT", "ENOTDIR"]);
const PATHLESS: ReadonlySet<string | undefined> = new Set(["EIO", "ENOSPC", "EDQUOT"]);

function explain(error: unknown): CheckpointError {
  const { code, path } = error as NodeJS.ErrnoException;
  // A failed read, write or sync does not say which file it was; whatever else has no path is not about files.
  const named = typeof path === "string" ? `"${path}"` : undefined;
  const place = named ?? (code === "EISDIR" ? "What you named" : PATHLESS.has(code) ? "A file" : undefined);
  const words = place === undefined ? undefined : WORDS[code ?? ""];
  if (words !== undefined) {
    const [what, hint] = words;
    return new CheckpointError(NOT_FOUND.has(code) ? "not-found" : "failed", `${place} ${what}.`, {
      hint,
      details: { path: path ?? null, errno: code },
      cause: error,
    });
  }
  const message = messageOf(error);
  return new CheckpointError("failed", `Something unexpected happened: ${message}`, {
    hint: "This is a bug in Cairn. CHECKPOINT_DEBUG=1 shows where it happened.",
    cause: error,
  });
}
