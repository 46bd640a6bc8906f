import { isCheckpointError } from "../errors.ts";
import type { ObjectId } from "../objects/object-id.ts";
import type { Progress, Store, StoredCheckpoint } from "../store/contract.ts";
import { PIN_PREFIX } from "../store/removal-plan.ts";
import { collectHistory } from "./collect-history.ts";
import { infoOfStored } from "./document.ts";
import type { RetentionPolicy } from "./retention-policy.ts";
import { planRetention, type RetentionItem, type RetentionPlan } from "./retention.ts";

/** One trail, or each trail by itself: `last: 50` then keeps 50 of each. */
export type PruneTarget = { readonly trail: string } | { readonly all: true };

export interface PruneOptions extends Progress {
  readonly now: Date;
  /** Decides and reports, but removes nothing. */
  readonly dryRun?: boolean;
}

export interface PrunePlan {
  readonly kept: readonly {
    readonly id: ObjectId;
    readonly trail: string;
    readonly reasons: readonly string[];
  }[];
  readonly removed: readonly { readonly id: ObjectId; readonly trail: string; readonly reason: string }[];
}

export interface PruneReport extends PrunePlan {
  readonly dryRun: boolean;
  /** Bytes that the disk got back. */
  readonly bytesFreed: number;
}

/** A checkpoint's place in a trail, with what a policy looks at. */
interface Place extends RetentionItem {
  readonly id: ObjectId;
  readonly trail: string;
  readonly parent: ObjectId | undefined;
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
  const { kept } = await store.remove({ checkpoints: plan.removed.map(({ id }) => id) });
  // Swept even when nothing was removed, because an earlier call may have been killed before it got there.
  const { bytesFreed } = await store.sweep({ onProgress });
  return { ...afterRefusals(plan, kept), dryRun, bytesFreed };
}

/** What `prune` would do, and why. Between this and the removal the store may change; then the store decides. */
export async function prunePlan(
  store: Store,
  target: PruneTarget,
  policy: RetentionPolicy,
  now: Date,
): Promise<PrunePlan> {
  const pinned = new Map<string, string>();
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
    if (pinned.size === before) return toPlan(plans);
  }
}

/** What cannot be read is kept: it may yet be repaired, and pruning must not destroy the evidence. */
function placeOf(stored: StoredCheckpoint, pinned: Map<string, string>): Place {
  const { id, trail, parent } = stored;
  try {
    const { created_at, trigger, notes } = infoOfStored(stored);
    return { id, trail, parent, created_at, trigger, notes };
  } catch (error) {
    if (!isCheckpointError(error, "corrupt")) throw error;
    pinned.set(id, "damaged");
    return { id, trail, parent, created_at: "", trigger: "", notes: null };
  }
}

type Plans = ReadonlyMap<string, RetentionPlan>;

const idsToRemove = (plans: Plans) =>
  new Set([...plans.values()].flatMap(({ remove }) => remove.map(({ id }) => id)));

async function findPins(store: Store, plans: Plans, pinned: Map<string, string>): Promise<void> {
  for (const id of idsToRemove(plans)) {
    const records = await store.attachments(id as ObjectId);
    if ([...records.keys()].some((key) => key.startsWith(PIN_PREFIX))) pinned.set(id, "pinned");
  }
}

/** What stays in one trail keeps its fork point in another, and itself wherever else it stands. */
function findNeeded(
  trails: ReadonlyMap<string, readonly Place[]>,
  plans: Plans,
  pinned: Map<string, string>,
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

function toPlan(plans: Plans): PrunePlan {
  return {
    kept: [...plans].flatMap(([trail, { keep }]) =>
      keep.map((item) => ({ ...item, id: item.id as ObjectId, trail })),
    ),
    removed: [...plans].flatMap(([trail, { remove }]) =>
      remove.map((item) => ({ ...item, id: item.id as ObjectId, trail })),
    ),
  };
}

/** What the store refused to remove, because somebody forked or pinned it in the meantime, was kept after all. */
function afterRefusals(plan: PrunePlan, refused: Awaited<ReturnType<Store["remove"]>>["kept"]): PrunePlan {
  const reasons = new Map(refused.map(({ id, reason }) => [id, reason]));
  const isKept = ({ id }: { readonly id: ObjectId }) => reasons.has(id) && reasons.get(id) !== "not found";
  const moved = plan.removed
    .filter(isKept)
    .map(({ id, trail }) => ({ id, trail, reasons: [reasons.get(id) as string] }));
  return { kept: [...plan.kept, ...moved], removed: plan.removed.filter((item) => !isKept(item)) };
}
