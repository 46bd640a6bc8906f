import type { CheckpointInfo } from "../../checkpoints/document.ts";
import type { ObjectId } from "../../objects/object-id.ts";

/** How many checkpoints of finished steps a run keeps, besides those of approvals and failures, and its head. */
const KEPT_STEPS = 5;
const ALWAYS_KEPT = ["approval", "error", "fork"];

/** Which checkpoints of a run may be removed. They are given newest first. Pure. */
export function removable(history: readonly Pick<CheckpointInfo, "content_hash" | "trigger">[]): ObjectId[] {
  const [, ...older] = history.filter(({ trigger }, index) => index === 0 || !ALWAYS_KEPT.includes(trigger));
  const kept = new Set(history.filter(({ trigger }) => trigger === "step").slice(0, KEPT_STEPS));
  return older.filter((checkpoint) => !kept.has(checkpoint)).map(({ content_hash }) => content_hash);
}
