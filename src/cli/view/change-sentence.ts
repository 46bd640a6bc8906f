import type { WorkDiff } from "../../checkpoints/diff/work-diff.ts";
import type { CheckpointInfo } from "../../checkpoints/document.ts";
import { diffSentence } from "./diff.ts";

/** What a checkpoint changed, in a few words. */
export function changeSentence(
  { trigger, restored_from, parent_hash }: CheckpointInfo,
  changes: WorkDiff | null,
  limit?: number,
): string {
  if (restored_from !== null && trigger === "fork") return `forked from ${restored_from}`;
  if (restored_from !== null) return `back to ${restored_from}`;
  if (parent_hash === null) return "the first of its trail";
  return changes === null ? "the one before it is gone" : diffSentence(changes, limit);
}
