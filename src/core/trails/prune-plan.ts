import { isCheckpointError } from "../errors.ts";
import type { ObjectId } from "../objects/object-id.ts";
import type { Store, StoredCheckpoint } from "../store/contract.ts";
import type { CheckpointId } from "./names.ts";
import { collectHistory } from "./collect-history.ts";
import { infoOfStored } from "./document.ts";
import type { RetentionPolicy } from "./retention-policy.ts";
import { listTags } from "./tags.ts";
import { planRetention, type RetentionItem, type RetentionPlan } from "./retention.ts";

/** One trail, or each trail by itself: `last: 50` then keeps 50 of each. */
export type PruneTarget = { readonly trail: string } | { readonly all: true };

/** A checkpoint that was decided on. */
interface PlannedCheckpoint {
  readonly id: ObjectId;
  /** What people call it; null for one that cannot be read. */
  readonly checkpoint_id: CheckpointId | null;
  readonly trail: string;
}

export interface PrunePlan {
  readonly kept: readonly (PlannedCheckpoint & { readonly reasons: readonly string[] })[];
  readonly removed: readonly (PlannedCheckpoint & { readonly reason: string })[];
}

/** A place in a trail that a policy decides on, with what it looks at. */
interface PruneCandidate extends RetentionItem<ObjectId>, PlannedCheckpoint {}

/**
 * What `prune` would do, and why. What must stay besides is the store's rule: heads, pinned ones, fork points. It decides again
 * when they are removed, for it may have changed by then.
 */
export async function prunePlan(
  store: Store,
  target: PruneTarget,
  policy: RetentionPolicy,
  now: Date,
): Promise<PrunePlan> {
  const pinned = new Map<ObjectId, string>();
  const heads = new Map((await store.trails()).map(({ name, head }) => [name, head]));
  const targets = "all" in target ? [...heads.keys()] : [target.trail];
  const trails = new Map<string, PruneCandidate[]>();
  for (const name of targets) {
    trails.set(name, await collectHistory(store, name, (stored) => candidateOf(stored, pinned)));
    if (heads.has(name)) pinned.set(heads.get(name) as ObjectId, "head");
  }
  const planAll = () =>
    new Map([...trails].map(([name, places]) => [name, planRetention(places, policy, { now, pinned })]));
  for (const [id, trail] of await findElsewhere(store, planAll(), "all" in target))
    pinned.set(id, `also in trail "${trail}"`);
  const going = idsToRemove(planAll());
  if (going.size > 0) {
    const { kept } = await store.remove({ checkpoints: [...going], dryRun: true });
    const tags = Map.groupBy(await listTags(store), ({ id }) => id);
    for (const { id, reason } of kept) {
      const names = tags.get(id)?.map(({ name }) => name);
      pinned.set(id, reason === "pinned" && names ? `tagged ${names.join(", ")}` : reason);
    }
  }
  return toPlan(planAll(), [...trails.values()].flat());
}

/** What cannot be read is kept: it may yet be repaired, and pruning must not destroy the evidence. */
function candidateOf(stored: StoredCheckpoint, pinned: Map<ObjectId, string>): PruneCandidate {
  const { id, trail } = stored;
  try {
    const { checkpoint_id, created_at, trigger, notes } = infoOfStored(stored);
    return { id, trail, checkpoint_id, created_at, trigger, notes };
  } catch (error) {
    if (!isCheckpointError(error, "corrupt")) throw error;
    pinned.set(id, "damaged");
    return { id, trail, checkpoint_id: null, created_at: "", trigger: "", notes: null };
  }
}

type PlansByTrail = ReadonlyMap<string, RetentionPlan<ObjectId>>;

const idsToRemove = (plans: PlansByTrail) =>
  new Set([...plans.values()].flatMap(({ remove }) => remove.map(({ id }) => id)));

/** Of those that would go, the ones that stay in another trail: a checkpoint that stands in two is one checkpoint. */
async function findElsewhere(
  store: Store,
  plans: PlansByTrail,
  areAllPlanned: boolean,
): Promise<Map<ObjectId, string>> {
  const going = idsToRemove(plans);
  const staying = new Map<ObjectId, string>();
  for (const [trail, { keep }] of plans) for (const { id } of keep) if (going.has(id)) staying.set(id, trail);
  if (areAllPlanned) return staying;
  for (const idPrefix of going)
    for (const { id, trail } of await store.find({ idPrefix })) if (!plans.has(trail)) staying.set(id, trail);
  return staying;
}

function toPlan(plans: PlansByTrail, places: readonly PruneCandidate[]): PrunePlan {
  const names = new Map(places.map(({ id, checkpoint_id }) => [id, checkpoint_id]));
  const named = <Item extends { readonly id: ObjectId }>(trail: string, items: readonly Item[]) =>
    items.map((item) => ({ checkpoint_id: names.get(item.id) ?? null, trail, ...item }));
  return {
    kept: [...plans].flatMap(([trail, { keep }]) => named(trail, keep)),
    removed: [...plans].flatMap(([trail, { remove }]) => named(trail, remove)),
  };
}
