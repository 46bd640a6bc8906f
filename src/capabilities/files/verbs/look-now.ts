import { hasStore } from "../../../work/project/find-project.ts";
import type { Project } from "../../../work/project/project.ts";
import { CheckpointError } from "../../../core/errors.ts";
import type { NewObject } from "../../../core/objects/object-format.ts";
import { type KnownSnapshots, knownSnapshots } from "../compare/find-moment.ts";
import { type FilesLook, look, type LookedTree } from "../look/look.ts";
import { readMemory } from "../look/memory-file.ts";
import type { FilesByPath } from "../snapshot/snapshot-file.ts";
import { filesOf, type Snapshot } from "../snapshot/snapshots.ts";
import { withTree } from "../tree.ts";

/** The files as they are now, compared with what is stored; nothing is stored. */
export interface LookedNow {
  readonly tree: LookedTree;
  readonly found: FilesLook;
  readonly files: FilesByPath;
  /** What was read and is not stored. */
  readonly contents: ReadonlyMap<string, Uint8Array>;
  /** Absent where the project has no store yet. */
  readonly known: KnownSnapshots | undefined;
  readonly last: Snapshot | undefined;
}

export async function lookNow(project: Project): Promise<LookedNow> {
  const known = hasStore(project) ? await knownSnapshots(project) : undefined;
  return withTree(project, async (tree, folder) => {
    const last = known?.list[0];
    const remembered = readMemory(folder);
    const isKnown = last !== undefined && remembered?.root === last.root;
    const contents = new Map<string, Uint8Array>();
    const memory = {
      files: known && last ? await filesOf(known.store, last) : new Map(),
      stamps: new Map(isKnown ? Object.entries(remembered.stamps) : []),
      seededFor: remembered?.seededFor,
    };
    const keep = ({ id, bytes }: NewObject) => void contents.set(id, bytes);
    const found = await look(tree, memory, keep).catch((error: unknown) => {
      throw lookFailed(error);
    });
    const files = new Map(found.files.map((file) => [file.path, file]));
    return { tree, found, files, contents, known, last };
  });
}

export function lookFailed(cause: unknown): CheckpointError {
  if (cause instanceof CheckpointError) return cause;
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new CheckpointError("failed", `The files cannot be looked at: ${reason}.`, {
    hint: "Find out why: checkpoint doctor",
    details: { reason },
    cause,
  });
}
