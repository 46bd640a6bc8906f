import { renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CheckpointError, isCheckpointError, messageOf } from "../../../core/errors.ts";
import type { Store } from "../../../core/store/contract.ts";
import { asRecord, parseJson } from "../../../core/text/untrusted.ts";
import { oneLine } from "../../../core/text/visible.ts";
import { readIfAny } from "../../../work/machine/read-bounded.ts";
import type { FilesByPath } from "../snapshot/snapshot-file.ts";
import { filesOf, type Snapshot } from "../snapshot/snapshots.ts";
import type { FileTree } from "../tree/tree.ts";
import { type FilesLook, type KeepContent, look } from "./look.ts";

/** A look, compared with the snapshot before. One that failed has the files of that, and says why. */
export interface LookedAgain extends FilesLook {
  readonly filesBefore: FilesByPath;
  readonly failed: string | null;
}

export interface AgainOptions {
  readonly store: Store | undefined;
  readonly before: Snapshot | undefined;
  readonly keep: KeepContent;
  /** Reads all that changed, and keeps all content anew. */
  readonly isForgetful?: boolean;
}

const seenIn = (folder: string) => join(folder, "seen.json");

/** Looks at the files, and reads only what is not as the last look saw it. */
export async function lookAgain(
  tree: FileTree,
  { store, before, keep, isForgetful = false }: AgainOptions,
): Promise<LookedAgain> {
  const filesBefore = store && before ? await filesOf(store, before) : new Map();
  const seen = asRecord(parseJson(readIfAny(seenIn(tree.folder))?.toString("utf8") ?? ""));
  const isKnown = !isForgetful && before !== undefined && seen?.["root"] === before.root;
  const memory = {
    files: isForgetful ? new Map() : filesBefore,
    stamps: ((isKnown && asRecord(seen["stamps"])) || {}) as Record<string, string>,
    seededFor: seen?.["seededFor"] as string | null | undefined,
  };
  try {
    return { ...(await look(tree, memory, keep)), filesBefore, failed: null };
  } catch (error) {
    if (isCheckpointError(error)) throw error;
    const { head = null, branch = null, repositories = [] } = before ?? {};
    const failed = oneLine(messageOf(error));
    return { head, branch, repositories, unnamed: 0, files: filesBefore, stamps: {}, filesBefore, failed };
  }
}

/**
 * Has the next look count on what this one saw of the disk, as a snapshot holds it. Not synced: after a power cut it may be
 * gone, and then all that changed is read once more.
 */
export function remember({ folder }: FileTree, root: string, { head, stamps }: FilesLook): void {
  const temporary = `${seenIn(folder)}.tmp`;
  // What is there was left by a look that was killed.
  rmSync(temporary, { force: true });
  const said = JSON.stringify({ root, seededFor: head, stamps });
  writeFileSync(temporary, said, { mode: 0o600, flag: "wx" });
  renameSync(temporary, seenIn(folder));
}

/** For a look that found out nothing, with the reason. */
export function lookFailed(cause: unknown): CheckpointError {
  if (cause instanceof CheckpointError) return cause;
  const reason = messageOf(cause);
  return new CheckpointError("failed", `The files cannot be looked at: ${reason}.`, {
    hint: "Nothing was changed. Find out why: checkpoint doctor",
    details: { reason },
    cause,
  });
}
