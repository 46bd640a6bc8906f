import type { ObjectId } from "../objects/object-id.ts";
import type { Progress, RemovalResult, Store } from "../store/contract.ts";
import { prunePlan, type PrunePlan, type PruneTarget } from "./prune-plan.ts";
import type { RetentionPolicy } from "./retention-policy.ts";
import { removeAbandonedImports } from "./staging.ts";

export interface PruneOptions extends Progress {
  readonly now: Date;
  /** Decides and reports, but removes nothing. */
  readonly dryRun?: boolean;
}

export interface PruneReport extends PrunePlan {
  readonly dryRun: boolean;
  /** Bytes that the disk got back. */
  readonly bytesFreed: number;
}

/**
 * Removes what a policy does not keep, then deletes the objects that nothing needs any more. May be killed at
 * any point: the checkpoints go together or not at all, and the next call deletes what was left of their objects.
 *
 * @example
 * const { removed } = await prune(cairn.store, { trail: "main" }, { last: 50 }, { now: new Date() });
 */
export async function prune(
  store: Store,
  target: PruneTarget,
  policy: RetentionPolicy,
  { now, dryRun = false, onProgress }: PruneOptions,
): Promise<PruneReport> {
  const plan = await prunePlan(store, target, policy, now);
  if (dryRun) return { ...plan, dryRun, bytesFreed: 0 };
  await removeAbandonedImports(store, now);
  const { kept } = await store.remove({ checkpoints: plan.removed.map(({ id }) => id) });
  // Swept even when nothing was removed, because an earlier call may have been killed before it got there.
  const { bytesFreed } = await store.sweep({ onProgress });
  return { ...afterRefusals(plan, kept), dryRun, bytesFreed };
}

/** The plan, corrected for what was forked or pinned in the meantime: the store keeps that. */
function afterRefusals(plan: PrunePlan, refused: RemovalResult["kept"]): PrunePlan {
  const reasons = new Map(refused.map(({ id, reason }) => [id, reason]));
  const isKept = ({ id }: { readonly id: ObjectId }) => reasons.has(id) && reasons.get(id) !== "not found";
  const moved = plan.removed.filter(isKept).map(({ id, checkpoint_id, trail }) => ({
    id,
    checkpoint_id,
    trail,
    reasons: [reasons.get(id) as string],
  }));
  return { kept: [...plan.kept, ...moved], removed: plan.removed.filter((item) => !isKept(item)) };
}
