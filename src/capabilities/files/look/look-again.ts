import { renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Store } from "../../../core/store/contract.ts";
import { asRecord, parseJson } from "../../../core/text/untrusted.ts";
import { readIfAny } from "../../../work/machine/read-bounded.ts";
import type { FilesByPath } from "../snapshot/snapshot-file.ts";
import { filesOf, newestSnapshot, type Snapshot } from "../snapshot/snapshots.ts";
import type { FileTree } from "../tree/tree.ts";
import { type FilesLook, type KeepContent, look } from "./look.ts";

/** The snapshot before, and a look that reads what is not as that has it. */
export interface LookedAgain {
  readonly before: Snapshot | undefined;
  readonly filesBefore: FilesByPath;
  readonly look: (keep: KeepContent) => Promise<FilesLook>;
  /** Has the next look count on what this one saw of the disk, which `root` holds. */
  readonly remember: (root: string, found: FilesLook) => void;
}

/** Prepares a look. One that is forgetful reads all that changed, and keeps all content anew. */
export async function lookAgain(
  tree: FileTree,
  store: Store | undefined,
  { isForgetful = false } = {},
): Promise<LookedAgain> {
  const before = store && (await newestSnapshot(store, tree.project));
  const filesBefore = store && before ? await filesOf(store, before) : new Map();
  const seen = join(tree.folder, "seen.json");
  const remembered = asRecord(parseJson(readIfAny(seen)?.toString("utf8") ?? ""));
  const isKnown = !isForgetful && before !== undefined && remembered?.["root"] === before.root;
  const memory = {
    files: isForgetful ? new Map() : filesBefore,
    stamps: ((isKnown && asRecord(remembered["stamps"])) || {}) as Record<string, string>,
    seededFor: remembered?.["seededFor"] as string | null | undefined,
  };
  return {
    before,
    filesBefore,
    look: (keep) => look(tree, memory, keep),
    // Not synced: after a power cut it may be gone, and then all that changed is read once more.
    remember: (root, { head, stamps }) => {
      const said = JSON.stringify({ root, seededFor: head, stamps });
      // What is there was left by a look that was killed.
      rmSync(`${seen}.tmp`, { force: true });
      writeFileSync(`${seen}.tmp`, said, { mode: 0o600, flag: "wx" });
      renameSync(`${seen}.tmp`, seen);
    },
  };
}
