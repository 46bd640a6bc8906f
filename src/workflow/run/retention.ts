import type { ObjectId } from "../../objects/object-id.ts";

/** How many checkpoints of finished steps a run keeps, besides those of approvals and failures, and its head. */
const KEPT_STEPS = 5;

/** Which checkpoints of a run may be removed. They are given oldest first. Pure. */
export function removable(
  entries: readonly { readonly id: ObjectId; readonly trigger: string }[],
  kept = KEPT_STEPS,
): ObjectId[] {
  let steps = 0;
  const gone: ObjectId[] = [];
  for (const [index, { id, trigger }] of entries.toReversed().entries()) {
    const isKept = index === 0 || trigger === "approval" || trigger === "error" || trigger === "fork";
    const isRecent = trigger === "step" && ++steps <= kept;
    if (!isKept && !isRecent) gone.push(id);
  }
  return gone;
}
