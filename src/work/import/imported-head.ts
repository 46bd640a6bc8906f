import { encode, recall } from "../../core/objects/encode.ts";
import type { NewObject } from "../../core/objects/object-format.ts";
import type { ObjectId } from "../../core/objects/object-id.ts";
import { readChecked } from "../../core/objects/read-tree.ts";
import { remember } from "../../core/objects/remember.ts";
import type { Commit, Store } from "../../core/store/contract.ts";
import { readCheckpoint, writeCheckpoint, type UnloadedCheckpoint } from "../../core/trails/document.ts";
import { markImported } from "../state/imported-marks.ts";
import { importTrigger } from "./merge-import.ts";

/** A commit to a trail that is not chosen yet. */
export type TrailCommit = Omit<Commit, "trail">;

/** Whether a head is the one of a file, or what an import of that file put on top of it. */
export async function isImportOf(store: Store, head: ObjectId, inFile: ObjectId): Promise<boolean> {
  if (head === inFile) return true;
  const bytes = (await readChecked([head], (ids) => store.readObjects(ids))).get(head) as Uint8Array;
  const { trigger, parent_hash, restored_from } = readCheckpoint(head, bytes).info;
  return trigger === importTrigger(false) && parent_hash === inFile && restored_from !== null;
}

interface MarkedHead {
  readonly root: ObjectId;
  readonly objects: readonly NewObject[];
}

/** The state of the head with its words marked as imported; undefined when there are none in it. */
export async function markHead(
  store: Store,
  { root }: UnloadedCheckpoint,
  by: string,
): Promise<MarkedHead | undefined> {
  const memory = await remember(root, (ids) => store.readObjects(ids));
  const state = recall(memory) as object;
  const marked = markImported(state, by);
  if (marked === state) return undefined;
  const { memory: after, objects } = encode(marked, memory);
  return { root: after.root, objects };
}

interface Following {
  readonly trail: string;
  readonly created_at: string;
  readonly notes: string;
  readonly trigger: string;
  readonly marked: MarkedHead | undefined;
}

/** One checkpoint more, on top of the head that was imported. */
export function following({ info, root }: UnloadedCheckpoint, { marked, ...about }: Following): TrailCommit {
  const { object } = writeCheckpoint({
    ...about,
    root: marked?.root ?? root,
    parent: info,
    restored_from: info.checkpoint_id,
  });
  return {
    objects: marked?.objects ?? [],
    checkpoint: object,
    parent: info.content_hash,
    createdAt: Date.parse(about.created_at),
  };
}
