import type { NewObject } from "../../../core/objects/object-format.ts";
import type { ReadObjects } from "../../../core/objects/read-tree.ts";
import { hasStore } from "../../../work/project/find-project.ts";
import type { Project } from "../../../work/project/project.ts";
import { lookAgain, lookFailed } from "../look/look-again.ts";
import type { FilesLook } from "../look/look.ts";
import { withTree } from "../tree/hold-tree.ts";
import type { FileTree } from "../tree/tree.ts";
import { type KnownMoments, knownMoments } from "./known-moments.ts";

/** The files as they are now, compared with what is stored; nothing is stored. */
export interface LookedNow {
  readonly tree: FileTree;
  readonly found: FilesLook;
  /** Reads what is stored, and what was just read. */
  readonly read: ReadObjects;
  /** Absent where the project has no store yet. */
  readonly known: KnownMoments | undefined;
}

export async function lookNow(project: Project): Promise<LookedNow> {
  const known = hasStore(project) ? await knownMoments(project) : undefined;
  const fresh = new Map<NewObject["id"], Uint8Array>();
  const keep = ({ id, bytes }: NewObject) => void fresh.set(id, bytes);
  const read: ReadObjects = async (ids) => {
    const stored = await known?.store.readObjects(ids.filter((id) => !fresh.has(id)));
    return new Map([...(stored ?? []), ...fresh]);
  };
  return withTree(project, async (tree) => {
    const found = await lookAgain(tree, { store: known?.store, before: known?.list[0], keep });
    if (found.failed !== null) throw lookFailed(found.failed);
    return { tree, found, read, known };
  });
}
