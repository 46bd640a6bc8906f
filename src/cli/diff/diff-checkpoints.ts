import type { Cairn } from "../../checkpoints/cairn.ts";
import { readCheckpoint, type CheckpointInfo } from "../../checkpoints/document.ts";
import type { CheckpointDiff } from "../../checkpoints/trail.ts";
import type { ObjectId } from "../../objects/object-id.ts";
import { readChecked } from "../../objects/read-tree.ts";
import { readAt } from "./read-at.ts";
import { describeChanges, type WorkDiff } from "./work-diff.ts";

/** What a plain difference means for the work. Names that it needs are read from the store, and nothing else. */
export async function explainDiff({ store }: Cairn, { from, to, changes }: CheckpointDiff): Promise<WorkDiff> {
  const read = (ids: readonly ObjectId[]) => store.readObjects(ids);
  const rootOf = async ({ content_hash }: CheckpointInfo) => {
    const objects = await readChecked([content_hash], read);
    return readCheckpoint(content_hash, objects.get(content_hash) as Uint8Array).root;
  };
  const roots = new Map<CheckpointInfo, Promise<ObjectId>>();
  const lookIn = (info: CheckpointInfo) => async (path: readonly (string | number)[]) => {
    if (!roots.has(info)) roots.set(info, rootOf(info));
    return readAt((await roots.get(info)) as ObjectId, path, read);
  };
  return describeChanges(changes, { before: lookIn(from), after: lookIn(to) });
}
