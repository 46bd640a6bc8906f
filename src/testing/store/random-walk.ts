import assert from "node:assert/strict";

import type { NewObject } from "../../core/objects/object-format.ts";
import type { ObjectId } from "../../core/objects/object-id.ts";
import type { Removal, Store, StoredCheckpoint } from "../../core/store/contract.ts";
import { assertConflict, assertLoads, assertStale } from "./expectations.ts";
import { Model } from "./model.ts";
import { attach } from "./records.ts";
import { changeWith, idsOf, valueOf } from "./samples.ts";
import type { Suite } from "./suite.ts";

const WALKS = 3;
const STEPS = 150;
/** Comparing reads everything that there is, so it takes much longer than a step. */
const STEPS_PER_COMPARISON = 5;
const TRAILS = ["a", "b", "c"];
/** Few, so that states share them and dead ones come back to life. */
const LEAVES = Array.from({ length: 12 }, (_, index) => valueOf(["leaf", index]));

export function testRandomWalks({ test, seed }: Suite): void {
  for (let walk = 0; walk < WALKS; walk++) {
    test(`behaves like its model for ${STEPS} random steps (walk ${walk + 1})`, async (store) => {
      const taken: string[] = [];
      try {
        await walkOn({ store, model: new Model(), random: createRandom(seed + walk), taken });
      } catch (cause) {
        const steps = taken.slice(-STEPS_PER_COMPARISON).join(", ");
        const message = cause instanceof Error ? cause.message : String(cause);
        throw new Error(
          `Step ${taken.length} of the walk went wrong (… ${steps}).\nRepeat it with seed: ${seed + walk}.\n${message}`,
          { cause },
        );
      }
    });
  }
}

interface Walk {
  readonly store: Store;
  readonly model: Model;
  readonly random: Random;
  readonly taken: string[];
}

async function walkOn(walk: Walk): Promise<void> {
  const steps = [commit, commit, commit, commit, commit, pin, removeSome, removeTrail, sweep];
  while (walk.taken.length < STEPS) {
    const step = walk.random.pick(steps) as (typeof steps)[0];
    walk.taken.push(step.name);
    await step(walk);
    if (walk.taken.length % STEPS_PER_COMPARISON === 0) await assertAlike(walk);
  }
  await sweep(walk);
  await assertAlike(walk);
}

/** Now and then from the wrong head, without moving it, with a used foreign id, or counting on objects that may be gone. */
async function commit({ store, model, random, taken }: Walk): Promise<void> {
  const trail = random.pick(TRAILS) as string;
  const anyId = () => random.pick(model.checkpoints)?.id;
  const leaves = LEAVES.filter(() => random.chance(0.25));
  const root = valueOf(idsOf(leaves), leaves);
  const from = random.chance(0.1) ? anyId() : random.chance(0.2) ? "stay" : model.head(trail);
  const state = [...leaves, root];
  const change = {
    ...changeWith(["step", taken.length], root, {
      trail,
      from,
      parent: random.chance(0.2) ? anyId() : model.head(trail),
      ...(random.chance(0.2) && { foreignId: `f${random.below(8)}` }),
    }),
    objects: random.chance(0.6) ? state : state.filter(() => random.chance(0.5)),
    revives: random.chance(0.5),
  };
  // What is brought must be complete from the leaves up, as an encoder would bring it; what is not brought is remembered.
  const outcome = model.commit(change, neededBy(change.objects, root, state, model.present));
  const attempt = store.commit(change);
  if (outcome === "taken") await attempt;
  else if (outcome === "conflict") await assertConflict(attempt);
  else await assertStale(attempt);
}

/** A root that is neither brought nor known makes the change stale by itself; its leaves then do not matter. */
function neededBy(
  brought: readonly NewObject[],
  root: NewObject,
  state: readonly NewObject[],
  present: ReadonlySet<ObjectId>,
): readonly NewObject[] {
  return brought.includes(root) || present.has(root.id) ? state : [root];
}

async function pin({ store, model, random }: Walk): Promise<void> {
  const id = random.pick(model.checkpoints)?.id;
  if (id === undefined) return;
  const isPinned = random.chance(0.4);
  await attach(store, id, { "pin/walk": isPinned ? "" : null });
  if (isPinned) model.pinned.add(id);
  else model.pinned.delete(id);
}

const removeSome = (walk: Walk) =>
  remove(walk, { checkpoints: idsOf(walk.model.checkpoints.filter(() => walk.random.chance(0.2))) });

const removeTrail = (walk: Walk) => remove(walk, { trails: TRAILS.filter(() => walk.random.chance(0.15)) });

async function remove({ store, model }: Walk, removal: Removal): Promise<void> {
  const { removed } = await store.remove(removal);
  assert.deepEqual(removed.toSorted(), model.remove(removal).toSorted());
}

async function sweep({ store, model }: Walk): Promise<void> {
  await store.sweep();
  model.sweep();
}

async function assertAlike({ store, model }: Walk): Promise<void> {
  const heads = model.heads.toReversed().map(({ trail, id }) => ({ name: trail, head: id }));
  assert.deepEqual(await store.trails(), heads);
  assert.deepEqual(idsOf(await store.find({})), idsOf(model.checkpoints));
  for (const trail of TRAILS) {
    const expected = model.checkpoints.filter((known) => known.trail === trail).toReversed();
    const parents = (list: readonly Pick<StoredCheckpoint, "id" | "parent">[]) =>
      list.map(({ id, parent }) => [id, parent]);
    assert.deepEqual(parents(await store.history(trail)), parents(expected));
  }
  for (const [id, parent] of model.removed) assert.deepEqual((await store.tombstone(id))?.parent, parent);
  const leaves = await store.readObjects(idsOf(LEAVES));
  assert.deepEqual(new Set(leaves.keys()), new Set(idsOf(LEAVES).filter((id) => model.present.has(id))));
  for (const { id } of model.checkpoints) await assertLoads(store, id);
  assert.deepEqual((await store.verify()).damage, []);
}

/** A small generator of random numbers that repeats itself for the same seed (mulberry32). */
interface Random {
  /** A whole number from 0 up to, but without, `limit`. */
  below(limit: number): number;
  chance(probability: number): boolean;
  pick<T>(items: readonly T[]): T | undefined;
}

function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    below,
    chance: (probability) => next() < probability,
    pick: (items) => items[below(items.length)],
  };
}
