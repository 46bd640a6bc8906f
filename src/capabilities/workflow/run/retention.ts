import { DAMAGED, type CheckpointInfo } from "../../../core/trails/document.ts";
import type { ObjectId } from "../../../core/objects/object-id.ts";

/** How many checkpoints of finished steps a run keeps, besides those of approvals and failures, and its head. */
const KEPT_STEPS = 5;

/** What is damaged stays as evidence. */
const ALWAYS_KEPT = ["approval", "error", "fork", DAMAGED];

/** Which checkpoints of a run may be removed. They are given newest first. Pure. */
export function removable(history: readonly Pick<CheckpointInfo, "content_hash" | "trigger">[]): ObjectId[] {
  const [, ...older] = history;
  const steps = history.filter(({ trigger }) => trigger === "step").slice(0, KEPT_STEPS);
  return older
    .filter((each) => !ALWAYS_KEPT.includes(each.trigger) && !steps.includes(each))
    .map(({ content_hash }) => content_hash);
}
