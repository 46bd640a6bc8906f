import assert from "node:assert/strict";

import type { ObjectId } from "../../core/objects/object-id.ts";
import type { Store } from "../../core/store/contract.ts";
import { commitLine, commitNext } from "./expectations.ts";
import { changeOf, idsOf } from "./samples.ts";
import type { Suite } from "./suite.ts";

export function testFinding({ test }: Suite): void {
  test("finds every checkpoint of every trail, oldest commit first, or the newest when asked to", async (store) => {
    const { a, b, c, d } = await someCheckpoints(store);
    assert.deepEqual(idsOf(await store.find({})), [a, b, c, d]);
    assert.deepEqual(idsOf(await store.find({ newestFirst: true })), [d, c, b, a]);
    assert.deepEqual(idsOf(await store.find({ newestFirst: true, limit: 2 })), [d, c]);
  });

  test("finds checkpoints by the beginning of their ids", async (store) => {
    const { a } = await someCheckpoints(store);
    assert.deepEqual(idsOf(await store.find({ idPrefix: a })), [a]);
    assert.ok(idsOf(await store.find({ idPrefix: a.slice(0, 1) })).includes(a));
    assert.deepEqual(idsOf(await store.find({ idPrefix: a.slice(0, 12) })), [a]);
    assert.deepEqual(await store.find({ idPrefix: `${a.slice(0, 12)}xyz` }), []);
    assert.equal((await store.find({ idPrefix: "" })).length, 4);
  });

  test("finds checkpoints by date, both ends included", async (store) => {
    const { a, b, c, d } = await someCheckpoints(store);
    assert.deepEqual(idsOf(await store.find({ createdFrom: 1000 })), [a, b, c]);
    assert.deepEqual(idsOf(await store.find({ createdTo: 1000 })), [a, d]);
    assert.deepEqual(idsOf(await store.find({ createdFrom: 1001, createdTo: 2000 })), [b]);
    assert.deepEqual(await store.find({ createdFrom: 2001, createdTo: 2999 }), []);
  });

  test("finds checkpoints by trail and by foreign id", async (store) => {
    const { a, b, c, d } = await someCheckpoints(store);
    assert.deepEqual(idsOf(await store.find({ trail: "main" })), [a, b]);
    assert.deepEqual(idsOf(await store.find({ foreignId: "f" })), [b, c]);
    assert.deepEqual(idsOf(await store.find({ foreignId: "f", trail: "other" })), [c]);
    assert.deepEqual(await store.find({ foreignId: "F" }), []);
    assert.deepEqual(idsOf(await store.find({ trail: "other", createdTo: 999 })), [d]);
    assert.deepEqual(await store.find({ trail: "oth" }), []);
  });

  test("finds no more than it is asked for, and no removed checkpoint", async (store) => {
    const { a, b, c } = await someCheckpoints(store);
    assert.deepEqual(idsOf(await store.find({ limit: 2 })), [a, b]);
    assert.deepEqual(await store.find({ limit: 0 }), []);
    await store.remove({ checkpoints: [a] });
    assert.deepEqual(idsOf(await store.find({ limit: 2 })), [b, c]);
    assert.deepEqual(await store.find({ idPrefix: a }), []);
  });
}

export function testCursors({ test }: Suite): void {
  test("tells what was committed after a sequence, also what a trail adopted since", async (store) => {
    await commitLine(store, ".hidden", ["x", "y"]);
    const [a] = await commitLine(store, "main", ["a"]);
    const [{ sequence } = { sequence: 0 }] = await store.find({ idPrefix: a });
    assert.deepEqual(await store.find({ afterSequence: sequence }), []);
    const hidden = idsOf(await store.find({ trail: ".hidden" }));
    const next = changeOf("b", { from: a });
    await store.commit({ ...next, adopts: ".hidden" });
    const news = await store.find({ afterSequence: sequence });
    assert.deepEqual(idsOf(news), [...hidden, next.checkpoint.id]);
    assert.deepEqual(idsOf(await store.find({ afterSequence: sequence, limit: 1 })), hidden.slice(0, 1));
  });

  test("pages through a trail in the order of its foreign ids", async (store) => {
    for (const foreignId of ["b", "\u{1F5FB}", "a", "\uFFFD", "c"])
      await commitNext(store, foreignId, { foreignId });
    await commitNext(store, "without");
    const page = async (before?: string) => {
      const byForeignId = { before };
      const found = await store.find({ trail: "main", byForeignId, newestFirst: true, limit: 2 });
      return found.map(({ foreignId }) => foreignId);
    };
    assert.deepEqual(await page(), ["\u{1F5FB}", "\uFFFD"]);
    assert.deepEqual(await page("\uFFFD"), ["c", "b"]);
    assert.deepEqual(await page("b"), ["a"]);
  });
}

export function testTrailList({ test }: Suite): void {
  test("lists trails with their heads, the one that moved last first", async (store) => {
    const [, a] = await commitLine(store, "a", [1, 2]);
    const [b] = await commitLine(store, "b", [1]);
    assert.deepEqual(await store.trails(), [
      { name: "b", head: b },
      { name: "a", head: a },
    ]);
    const moved = await commitNext(store, 3, { trail: "a", createdAt: -1 });
    // Neither a checkpoint beside the line nor one in a trail without a head moves anything.
    await commitNext(store, 4, { trail: "b", from: "stay" });
    await commitNext(store, 5, { trail: "headless", from: "stay" });
    assert.deepEqual(await store.trails(), [
      { name: "a", head: moved },
      { name: "b", head: b },
    ]);
  });

  test("keeps the place of a trail whose head was there before", async (store) => {
    const [first] = await commitLine(store, "one", ["a", "b"]);
    const second = await commitNext(store, "c", { trail: "two" });
    const back = changeOf("a", { trail: "one", from: await store.head("one") });
    assert.equal(back.checkpoint.id, first);
    await store.commit(back);
    assert.deepEqual(await store.trails(), [
      { name: "two", head: second },
      { name: "one", head: first },
    ]);
  });

  test("lists as many trails as asked for", async (store) => {
    for (const name of ["run/1", "other", "run/2", "run/3"]) await commitNext(store, name, { trail: name });
    const listed = async (limit: number) =>
      (await store.trails({ prefix: "run/", limit })).map(({ name }) => name);
    assert.deepEqual(await listed(2), ["run/3", "run/2"]);
    assert.deepEqual(await listed(0), []);
    assert.deepEqual(await listed(9), ["run/3", "run/2", "run/1"]);
    assert.deepEqual(await listed(Infinity), ["run/3", "run/2", "run/1"]);
  });

  test("lists the trails that begin with a prefix, taken literally", async (store) => {
    const names = ["run/1", "run/2", "Run/3", "run", "running", "r_n/4", "r%/5", "日本/1"];
    for (const name of names) await commitNext(store, name, { trail: name });
    const listed = async (prefix: string) => (await store.trails({ prefix })).map(({ name }) => name);
    assert.deepEqual(await listed("run/"), ["run/2", "run/1"]);
    assert.deepEqual(await listed("r_"), ["r_n/4"]);
    assert.deepEqual(await listed("r%"), ["r%/5"]);
    assert.deepEqual(await listed("日"), ["日本/1"]);
    assert.deepEqual(await listed(""), names.toReversed());
    assert.deepEqual(await listed("nothing"), []);
  });
}

/** a and b in main, c and d in other; a is the oldest commit, d the oldest date. */
async function someCheckpoints(store: Store): Promise<Record<"a" | "b" | "c" | "d", ObjectId>> {
  const a = await commitNext(store, "a", { createdAt: 1000 });
  const b = await commitNext(store, "b", { createdAt: 2000, foreignId: "f" });
  const c = await commitNext(store, "c", { createdAt: 3000, trail: "other", foreignId: "f" });
  const d = await commitNext(store, "d", { createdAt: -500, trail: "other" });
  return { a, b, c, d };
}
