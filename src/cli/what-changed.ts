import type { Cairn } from "../checkpoints/cairn.ts";
import type { CheckpointInfo } from "../checkpoints/document.ts";
import { isCheckpointError } from "../errors.ts";
import { explainDiff } from "./diff/diff-checkpoints.ts";
import type { WorkDiff } from "./diff/work-diff.ts";
import { diffSentence } from "./view/diff.ts";

/** What a checkpoint changed. Null for the first of a trail, and where the one before it was pruned. */
export async function changesOf(cairn: Cairn, { trail, content_hash, parent_hash }: CheckpointInfo): Promise<WorkDiff | null> {
  if (parent_hash === null) return null;
  try {
    return await explainDiff(cairn, await cairn.trail(trail).diff(parent_hash, content_hash));
  } catch (error) {
    if (isCheckpointError(error, "not-found")) return null;
    throw error;
  }
}

/** The same in a few words. */
export function changeSentence({ trigger, restored_from }: CheckpointInfo, changes: WorkDiff | null, limit?: number): string {
  if (restored_from !== null && trigger === "fork") return `forked from ${restored_from}`;
  if (restored_from !== null) return `back to ${restored_from}`;
  return changes === null ? "" : diffSentence(changes, limit);
}
