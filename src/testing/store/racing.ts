import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";

import { isCheckpointError } from "../../core/errors.ts";
import type { ObjectId } from "../../core/objects/object-id.ts";
import type { BuildCommit, Store } from "../../core/store/contract.ts";
import { assertConflict, assertLoads, awaitedLater, commitNext } from "./expectations.ts";
import { changeOf, changeWith, idsOf, objectsOf, prolonged, valueOf } from "./samples.ts";
import type { Suite } from "./suite.ts";

const WRITERS = 12;

export function testRacing({ test, testShared }: Suite): void {
  test("lets exactly one of many racing writers move a head", async (store) => {
    await assertOneWins(Array.from({ length: WRITERS }, () => store));
  });

  test("takes many commits at once, each whole or not at all", async (store) => {
    const head = await commitNext(store, "a");
    const missing = valueOf("not brought");
    const stale = changeWith("stale", missing, { trail: "stale" });
    const late = changeOf("late");
    const sound = Array.from({ length: WRITERS }, (_, at) => changeOf(at, { trail: `trail ${at}` }));
    const next = changeOf("next", { from: head });
    const all = [...sound.slice(0, 5), stale, late, next, ...sound.slice(5)];
    const ends = await Promise.allSettled(all.map((change) => store.commit(change)));
    const refused = all.filter((_, at) => ends[at]?.status === "rejected");
    assert.deepEqual(refused, [stale, late]);
    for (const { checkpoint } of [...sound, next]) await assertLoads(store, checkpoint.id);
    const left = await store.readObjects(idsOf(refused.flatMap(objectsOf)));
    assert.equal(left.size, 0);
    assert.equal((await store.trails()).length, WRITERS + 1);
  });

  test("lets every one of many racing builders land", async (store) => {
    await assertAllLand(Array.from({ length: WRITERS }, () => store));
  });

  testShared("lets every one of many builders land that race over two handles", async (store, second) => {
    await assertAllLand(Array.from({ length: WRITERS }, (_, index) => (index % 2 ? store : second)));
  });
}

export function testBuilders({ test, testShared }: Suite): void {
  test("lets a builder read the store, and makes other writers of the trail wait for it", async (store) => {
    const first = await commitNext(store, "a");
    const rivals: Promise<unknown>[] = [];
    await store.commit({
      trail: "main",
      async build(head) {
        rivals.push(awaitedLater(assertConflict(store.commit(changeOf("rival", { from: first })))));
        rivals.push(awaitedLater(store.remove({ trails: ["main"] })));
        await pause();
        assert.equal(await store.head("main"), first);
        await assertLoads(store, first);
        assert.deepEqual(idsOf(await store.history("main", { limit: 1 })), [head]);
        return changeOf("built", { from: head });
      },
    });
    await Promise.all(rivals);
    assert.equal(await store.head("main"), undefined);
  });

  test("changes nothing when a builder fails, and lets the next writer go on", async (store) => {
    const failure = new Error("the builder's own failure");
    const failing: BuildCommit = { trail: "main", build: () => Promise.reject(failure) };
    await assert.rejects(store.commit(failing), (error) => error === failure);
    const id = await commitNext(store, "after");
    assert.equal(await store.head("main"), id);
  });

  test("changes nothing when a builder finds nothing to change", async (store) => {
    const first = await commitNext(store, "a");
    await store.commit({ trail: "main", prepared: changeOf("late"), build: async () => undefined });
    assert.deepEqual(idsOf(await store.history("main")), [first]);
    await commitNext(store, "b");
    assert.equal((await store.history("main")).length, 2);
  });

  test("refuses a builder's change that is meant for another head", async (store) => {
    const first = await commitNext(store, "a");
    await commitNext(store, "b");
    await assertConflict(store.commit({ trail: "main", build: async () => changeOf("c", { from: first }) }));
  });

  test("lets one of two racing checkpoints have a foreign id", async (store) => {
    const commits = ["a", "b"].map((label) =>
      store.commit(changeOf(label, { from: "stay", foreignId: "1ef4" })),
    );
    const outcomes = await Promise.allSettled(commits);
    assert.equal(outcomes.filter(({ status }) => status === "fulfilled").length, 1);
    assert.equal((await store.find({ foreignId: "1ef4" })).length, 1);
  });

  testShared("shows a second handle at once what the first committed", async (store, second) => {
    const id = await commitNext(store, "a");
    assert.equal(await second.head("main"), id);
    await assertLoads(second, id);
    await second.remove({ trails: ["main"] });
    assert.equal(await store.head("main"), undefined);
    assert.deepEqual((await store.identity()).id, (await second.identity()).id);
  });
}

/** Lets all of them race for the head of one trail. */
export async function assertOneWins(handles: readonly Store[], round = 0): Promise<void> {
  const [store] = handles as [Store];
  const from = await commitNext(store, ["start", round]);
  const changes = handles.map((_, index) => prolonged(changeOf(["racer", round, index], { from })));
  const outcomes = await Promise.allSettled(handles.map((handle, index) => handle.commit(changes[index]!)));
  const winners = changes.filter((_, index) => outcomes[index]?.status === "fulfilled");
  assert.equal(winners.length, 1, `${winners.length} writers moved one head`);
  for (const outcome of outcomes) {
    if (outcome.status === "rejected")
      assert.ok(isCheckpointError(outcome.reason, "conflict"), String(outcome.reason));
  }
  const [winner] = winners as [(typeof winners)[0]];
  assert.equal(await store.head("main"), winner.checkpoint.id);
  assert.deepEqual(idsOf(await store.history("main", { limit: 2 })), [winner.checkpoint.id, from]);
  assert.equal(await store.count("main"), 2 * (round + 1));
  const losers = changes.filter((change) => change !== winner);
  const left = await store.readObjects(losers.flatMap((change) => idsOf(objectsOf(change))));
  assert.equal(left.size, 0, "a writer that lost left objects behind");
}

/** Each builder writes a number one higher than the head's, so a lost or repeated turn shows in the numbers. */
async function assertAllLand(handles: readonly Store[]): Promise<void> {
  const [store] = handles as [Store];
  const turnOf = new Map<ObjectId | undefined, number>([[undefined, 0]]);
  const builder = (): BuildCommit => ({
    trail: "main",
    async build(head) {
      await pause();
      const turn = (turnOf.get(head) ?? Number.NaN) + 1;
      const change = changeOf(["turn", turn], { from: head });
      turnOf.set(change.checkpoint.id, turn);
      return change;
    },
  });
  await Promise.all(handles.map((handle) => handle.commit(builder())));
  const history = await store.history("main");
  const turns = history.map(({ id }) => turnOf.get(id));
  assert.deepEqual(
    turns,
    Array.from(handles, (_, index) => handles.length - index),
  );
  for (const { id } of history) await assertLoads(store, id);
}

/** Gives everything that is waiting its chance. */
const pause = () => sleep(2);
