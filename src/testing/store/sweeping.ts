import assert from "node:assert/strict";
import { setImmediate as turn } from "node:timers/promises";

import type { NewObject } from "../../core/objects/object-format.ts";
import type { ObjectId } from "../../core/objects/object-id.ts";
import type { Commit, Store } from "../../core/store/contract.ts";
import { isStaleReference } from "../../core/store/refusals.ts";
import { assertLoads, assertStale, awaitedLater, commitLine, commitNext } from "./expectations.ts";
import { changeOf, changeWith, idsOf, objectsOf, valueOf } from "./samples.ts";
import type { Suite } from "./suite.ts";

export function testSweeping({ test }: Suite): void {
  test("deletes exactly the objects that no checkpoint reaches", async (store) => {
    const shared = valueOf("shared", [valueOf("deep")]);
    const dead = changeOf("dead", { objects: [valueOf("deep"), shared] });
    const live = changeOf("live", { from: dead.checkpoint.id, objects: [valueOf("deep"), shared] });
    await store.commit(dead);
    await store.commit(live);
    await store.remove({ checkpoints: [dead.checkpoint.id] });
    const before = await store.verify();
    const { objectsDeleted, bytesFreed } = await store.sweep();
    const after = await store.verify();
    assert.equal(objectsDeleted, before.objects - after.objects);
    assert.ok(bytesFreed >= 0);
    const all = [...objectsOf(dead), ...objectsOf(live)];
    const left = await store.readObjects(idsOf(all));
    assert.deepEqual(new Set(left.keys()), new Set(idsOf(objectsOf(live))));
    await assertLoads(store, live.checkpoint.id);
    assert.deepEqual(after.damage, []);
  });

  test("deletes nothing that any checkpoint needs, in a line or beside it", async (store) => {
    const ids = await commitLine(store, "main", ["a", "b"]);
    ids.push(await commitNext(store, "aside", { from: "stay" }));
    ids.push(await commitNext(store, "headless", { trail: "headless", from: "stay" }));
    assert.equal((await store.sweep()).objectsDeleted, 0);
    for (const id of ids) await assertLoads(store, id);
  });

  test("has nothing left to delete the second time", async (store) => {
    await commitLine(store, "main", ["a", "b"]);
    await store.remove({ trails: ["main"] });
    assert.ok((await store.sweep()).objectsDeleted > 0);
    assert.equal((await store.sweep()).objectsDeleted, 0);
    assert.equal((await store.verify()).objects, 0);
  });

  test("says how far it is, never beyond the whole", async (store) => {
    await commitLine(store, "main", ["a", "b"]);
    await store.remove({ trails: ["main"] });
    const onProgress = (done: number, total: number) => assert.ok(done >= 0 && done <= total);
    await store.sweep({ onProgress });
    await commitLine(store, "other", ["a", "b"]);
    await store.verify({ onProgress });
  });
}

export function testSweepingBesideCommits({ test, testShared }: Suite): void {
  test("refuses a change that counts on what was swept, and takes it when it is complete", async (store) => {
    const change = await deadChange(store, "a");
    await store.sweep();
    const root = change.objects.at(-1) as NewObject;
    const again = changeWith("again", root);
    await assertStale(store.commit(again));
    assert.equal(await store.head("main"), undefined);
    await store.commit({ ...again, objects: change.objects });
    await assertLoads(store, again.checkpoint.id);
  });

  test("spares objects that came back to life before the sweep", async (store) => {
    const change = await deadChange(store, "a");
    const again = changeWith("again", change.objects.at(-1) as NewObject);
    await store.commit(again);
    await store.sweep();
    await assertLoads(store, again.checkpoint.id);
  });

  test("never deletes what a concurrent commit builds on", async (store) => {
    await assertSweepSpares(store, store);
  });

  testShared("never deletes what a commit through another handle builds on", async (store, second) => {
    await assertSweepSpares(store, second);
  });

  test("may run several times at once, beside commits and removals", async (store) => {
    const ids: ObjectId[] = [];
    for (let round = 0; round < 5; round++) {
      await deadChange(store, ["dead", round]);
      const sweeps = [store.sweep(), store.sweep(), store.verify(), store.remove({ checkpoints: ids })];
      const all = awaitedLater(Promise.all(sweeps));
      ids.push(await commitNext(store, round));
      await all;
    }
    for (const { id } of await store.find({})) await assertLoads(store, id);
    assert.deepEqual((await store.verify()).damage, []);
  });
}

/** A change whose checkpoint has been removed again, so that all its objects are waiting for a sweep. */
async function deadChange(store: Store, label: unknown, objects: readonly NewObject[] = []): Promise<Commit> {
  const change = changeOf(label, { trail: "doomed", objects });
  await store.commit({ ...change, revives: true });
  await store.remove({ trails: ["doomed"] });
  return change;
}

const ROUNDS = 4;
const DEAD = 12;

/**
 * Commits that use dead objects, at many moments of a sweep that has much to do: every one that is
 * acknowledged must load completely afterwards.
 */
async function assertSweepSpares(sweeper: Store, writer: Store): Promise<void> {
  const acknowledged: ObjectId[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const dead: Commit[] = [];
    for (let index = 0; index < DEAD; index++) {
      const filler = Array.from({ length: 100 }, (_, at) => valueOf(["filler", round, index, at]));
      dead.push(await deadChange(writer, [round, index], filler));
    }
    const commits: Promise<void>[] = [];
    const next = () => {
      // From both ends, because a store may delete the newest or the oldest first.
      const change = commits.length % 2 === 0 ? dead.shift() : dead.pop();
      if (change)
        commits.push(awaitedLater(revive(writer, change, `${round}/${commits.length}`, acknowledged)));
    };
    let isSwept = false;
    const sweep = sweeper.sweep({ onProgress: next }).finally(() => {
      isSwept = true;
    });
    while (dead.length > 0) {
      next();
      if (!isSwept) await Promise.race([sweep, turn()]);
    }
    await sweep;
    await Promise.all(commits);
  }
  assert.equal(acknowledged.length, ROUNDS * DEAD);
  for (const id of acknowledged) await assertLoads(sweeper, id);
  assert.deepEqual((await sweeper.verify()).damage, []);
}

/** Uses a dead state again: by referring to it, by bringing it, or by committing the removed checkpoint itself. */
async function revive(store: Store, dead: Commit, trail: string, acknowledged: ObjectId[]): Promise<void> {
  const way = acknowledged.length % 3;
  const again =
    way === 0 ? { ...dead, trail } : changeWith("again", dead.objects.at(-1) as NewObject, { trail });
  const complete = { ...again, objects: dead.objects };
  try {
    await store.commit(way === 1 ? complete : { ...again, objects: [] });
  } catch (error) {
    if (!isStaleReference(error)) throw error;
    await store.commit(complete);
  }
  acknowledged.push(again.checkpoint.id);
}
