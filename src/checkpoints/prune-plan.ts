import { isCheckpointError } from "../errors.ts";
import type { ObjectId } from "../objects/object-id.ts";
import type { Store, StoredCheckpoint } from "../store/contract.ts";
import { PIN_PREFIX, type Place } from "../store/removal-plan.ts";
import type { CheckpointId } from "./names.ts";
import { collectHistory } from "./collect-history.ts";
import { infoOfStored } from "./document.ts";
import { findForkPoints } from "./fork-points.ts";
import type { RetentionPolicy } from "./retention-policy.ts";
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
interface PruneCandidate extends RetentionItem<ObjectId>, PlannedCheckpoint, Place {}

/** What `prune` would do, and why. Between this and the removal the store may change; then the store decides. */
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
  const going = idsToRemove(planAll());
  // Other trails are read only when something goes that they might need.
  if (going.size > 0) {
    await addPins(store, going, pinned);
    const others = [...heads.keys()].filter((name) => !trails.has(name));
    const places: Place[] = [...trails.values()].flat();
    for (const name of others) places.push(...(await collectHistory(store, name, placeOf)));
    await addNeeded(store, places, planAll(), pinned);
  }
  return toPlan(planAll(), [...trails.values()].flat());
}

/** What cannot be read is kept: it may yet be repaired, and pruning must not destroy the evidence. */
function candidateOf(stored: StoredCheckpoint, pinned: Map<ObjectId, string>): PruneCandidate {
  const place = placeOf(stored);
  try {
    const { checkpoint_id, created_at, trigger, notes } = infoOfStored(stored);
    return { ...place, checkpoint_id, created_at, trigger, notes };
  } catch (error) {
    if (!isCheckpointError(error, "corrupt")) throw error;
    pinned.set(place.id, "damaged");
    return { ...place, checkpoint_id: null, created_at: "", trigger: "", notes: null };
  }
}

const placeOf = ({ id, trail, parent }: StoredCheckpoint): Place => ({ id, trail, parent });

type PlansByTrail = ReadonlyMap<string, RetentionPlan<ObjectId>>;

const idsToRemove = (plans: PlansByTrail) =>
  new Set([...plans.values()].flatMap(({ remove }) => remove.map(({ id }) => id)));

async function addPins(
  store: Store,
  going: ReadonlySet<ObjectId>,
  pinned: Map<ObjectId, string>,
): Promise<void> {
  for (const [id, records] of await store.attachments([...going])) {
    if ([...records.keys()].some((key) => key.startsWith(PIN_PREFIX))) pinned.set(id, "pinned");
  }
}

/** What stays in one trail keeps itself wherever else it stands, and the fork point that it descends from. */
async function addNeeded(
  store: Store,
  places: readonly Place[],
  plans: PlansByTrail,
  pinned: Map<ObjectId, string>,
): Promise<void> {
  const going = idsToRemove(plans);
  const removed = new Map(
    [...plans].map(([name, { remove }]) => [name, new Set(remove.map(({ id }) => id))]),
  );
  for (const { id, trail } of places) {
    if (going.has(id) && !removed.get(trail)?.has(id)) pinned.set(id, `also in trail "${trail}"`);
  }
  const leaving = new Set(places.filter(({ id }) => going.has(id) && !pinned.has(id)));
  const parents = await parentsOfRemoved(store, places);
  for (const { id } of findForkPoints(places, leaving, (gone) => parents.get(gone)))
    pinned.set(id, "fork point");
}

/** The parents of those that were removed earlier, as far as something that is left descends from them. */
async function parentsOfRemoved(
  store: Store,
  places: readonly Place[],
): Promise<Map<ObjectId, ObjectId | undefined>> {
  const present = new Set(places.map(({ id }) => id));
  const parents = new Map<ObjectId, ObjectId | undefined>();
  for (const { parent } of places) {
    for (let id = parent; id !== undefined && !present.has(id) && !parents.has(id); id = parents.get(id)) {
      parents.set(id, (await store.tombstone(id))?.parent);
    }
  }
  return parents;
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
