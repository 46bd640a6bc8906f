import { isCheckpointError } from "../errors.ts";
import type { ObjectId } from "../objects/object-id.ts";
import type { Store, StoredCheckpoint } from "../store/contract.ts";
import { PIN_PREFIX } from "../store/removal-plan.ts";
import type { CheckpointId } from "./checkpoint-id.ts";
import { collectHistory } from "./collect-history.ts";
import { infoOfStored } from "./document.ts";
import type { RetentionPolicy } from "./retention-policy.ts";
import { planRetention, type RetentionItem, type RetentionPlan } from "./retention.ts";

/** One trail, or each trail by itself: `last: 50` then keeps 50 of each. */
export type PruneTarget = { readonly trail: string } | { readonly all: true };

/** A checkpoint that was decided on. */
interface Decided {
  readonly id: ObjectId;
  /** What people call it; null for one that cannot be read. */
  readonly checkpoint_id: CheckpointId | null;
  readonly trail: string;
}

export interface PrunePlan {
  readonly kept: readonly (Decided & { readonly reasons: readonly string[] })[];
  readonly removed: readonly (Decided & { readonly reason: string })[];
}

/** A checkpoint's place in a trail, with what a policy looks at. */
interface Place extends RetentionItem<ObjectId>, Decided {
  readonly parent: ObjectId | undefined;
}

/** What `prune` would do, and why. Between this and the removal the store may change; then the store decides. */
export async function prunePlan(
  store: Store,
  target: PruneTarget,
  policy: RetentionPolicy,
  now: Date,
): Promise<PrunePlan> {
  const pinned = new Map<ObjectId, string>();
  const trails = new Map<string, Place[]>();
  const heads = new Map((await store.trails()).map(({ name, head }) => [name, head]));
  for (const name of new Set("all" in target ? heads.keys() : [target.trail, ...heads.keys()])) {
    trails.set(name, await collectHistory(store, name, (stored) => placeOf(stored, pinned)));
  }
  const targets = "all" in target ? [...trails.keys()] : [target.trail];
  for (const name of targets) if (heads.has(name)) pinned.set(heads.get(name) as ObjectId, "head");

  const planAll = () =>
    new Map(
      targets.map((name) => [name, planRetention(trails.get(name) as Place[], policy, { now, pinned })]),
    );
  await findPins(store, planAll(), pinned);
  for (;;) {
    const plans = planAll();
    const before = pinned.size;
    findNeeded(trails, plans, pinned);
    // What must stay may need others in turn. Each round keeps more, so there is a last one.
    if (pinned.size === before) return toPlan(plans, [...trails.values()].flat());
  }
}

/** What cannot be read is kept: it may yet be repaired, and pruning must not destroy the evidence. */
function placeOf(stored: StoredCheckpoint, pinned: Map<ObjectId, string>): Place {
  const { id, trail, parent } = stored;
  try {
    const { checkpoint_id, created_at, trigger, notes } = infoOfStored(stored);
    return { id, trail, parent, checkpoint_id, created_at, trigger, notes };
  } catch (error) {
    if (!isCheckpointError(error, "corrupt")) throw error;
    pinned.set(id, "damaged");
    return { id, trail, parent, checkpoint_id: null, created_at: "", trigger: "", notes: null };
  }
}

type Plans = ReadonlyMap<string, RetentionPlan<ObjectId>>;

const idsToRemove = (plans: Plans) =>
  new Set([...plans.values()].flatMap(({ remove }) => remove.map(({ id }) => id)));

async function findPins(store: Store, plans: Plans, pinned: Map<ObjectId, string>): Promise<void> {
  for (const id of idsToRemove(plans)) {
    const records = await store.attachments(id);
    if ([...records.keys()].some((key) => key.startsWith(PIN_PREFIX))) pinned.set(id, "pinned");
  }
}

/** What stays in one trail keeps its fork point in another, and itself wherever else it stands. */
function findNeeded(
  trails: ReadonlyMap<string, readonly Place[]>,
  plans: Plans,
  pinned: Map<ObjectId, string>,
): void {
  const going = idsToRemove(plans);
  const homes = Map.groupBy(
    [...trails.values()].flat().filter(({ id }) => going.has(id)),
    ({ id }) => id,
  );
  for (const [name, places] of trails) {
    const removed = new Set(plans.get(name)?.remove.map(({ id }) => id));
    for (const { id, parent } of places) {
      if (removed.has(id)) continue;
      if (going.has(id) && !pinned.has(id)) pinned.set(id, `also in trail "${name}"`);
      if (parent === undefined || pinned.has(parent)) continue;
      // A parent in the child's own trail is mere history, even if another trail shares it.
      const isElsewhere = homes.has(parent) && !homes.get(parent)?.some(({ trail }) => trail === name);
      if (isElsewhere) pinned.set(parent, "fork point");
    }
  }
}

function toPlan(plans: Plans, places: readonly Place[]): PrunePlan {
  const names = new Map(places.map(({ id, checkpoint_id }) => [id, checkpoint_id]));
  const named = <Item extends { readonly id: ObjectId }>(trail: string, items: readonly Item[]) =>
    items.map((item) => ({ checkpoint_id: names.get(item.id) ?? null, trail, ...item }));
  return {
    kept: [...plans].flatMap(([trail, { keep }]) => named(trail, keep)),
    removed: [...plans].flatMap(([trail, { remove }]) => named(trail, remove)),
  };
}
