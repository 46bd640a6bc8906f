import assert from "node:assert/strict";
import { listed, nextId, step, thread, valuesOf, writesOf, type SaverSuite } from "./suite.ts";

export function testForks({ test }: SaverSuite): void {
  test("keeps the values of two forks apart that count their versions alike", async ({ saver }) => {
    const base = await step(saver, thread("t"), { log: ["base"] }, { versions: { log: 1 } });
    const left = await step(saver, base, { log: ["base", "left"] }, { versions: { log: 2 } });
    const right = await step(saver, base, { log: ["base", "right"] }, { versions: { log: 2 } });
    assert.deepEqual(await valuesOf(saver, left), { log: ["base", "left"] });
    assert.deepEqual(await valuesOf(saver, right), { log: ["base", "right"] });
  });

  test("keeps them apart when both are put at once", async ({ saver }) => {
    const base = await step(saver, thread("t"), { log: ["base"] }, { versions: { log: 1 } });
    const names = ["a", "b", "c", "d"];
    const put = (name: string) => step(saver, base, { log: [name] }, { versions: { log: 2 } });
    const forks = await Promise.all(names.map(put));
    const found = await Promise.all(forks.map((fork) => valuesOf(saver, fork)));
    assert.deepEqual(
      found,
      names.map((name) => ({ log: [name] })),
    );
  });

  test("takes what did not change from a checkpoint's own line", async ({ saver }) => {
    const base = await step(
      saver,
      thread("t"),
      { log: ["base"], tag: "-" },
      { versions: { log: 1, tag: 1 } },
    );
    const change = { versions: { log: 1, tag: 2 }, changed: ["tag"] };
    const left = await step(saver, base, { log: ["base"], tag: "left" }, change);
    await step(saver, base, { log: ["other"], tag: "right" }, { versions: { log: 2, tag: 2 } });
    const last = await step(
      saver,
      left,
      { log: ["base"], tag: "left!" },
      { ...change, versions: { log: 1, tag: 3 } },
    );
    assert.deepEqual(await valuesOf(saver, last), { log: ["base"], tag: "left!" });
  });

  test("keeps the writes of two forks apart", async ({ saver }) => {
    const base = await step(saver, thread("t"), { n: 0 });
    const [left, right] = [await step(saver, base, { n: 1 }), await step(saver, base, { n: 1 })];
    await saver.putWrites(left, [["n", "left"]], "task");
    await saver.putWrites(right, [["n", "right"]], "task");
    assert.deepEqual(await writesOf(saver, left), [["n", "left"]]);
    assert.deepEqual(await writesOf(saver, right), [["n", "right"]]);
  });

  test("does not take an older id that is put late for the newest", async ({ saver }) => {
    const [early, late] = [nextId(), nextId()];
    const base = await step(saver, thread("t"), { n: 0 }, { id: `0${early.slice(1)}` });
    await step(saver, base, { n: 2 }, { id: late });
    await step(saver, base, { n: 1 }, { id: early });
    assert.deepEqual(await valuesOf(saver, thread("t")), { n: 2 });
    assert.deepEqual((await listed(saver, thread("t"))).slice(0, 2), [late, early]);
  });

  test("keeps two checkpoints that say the same under different ids", async ({ saver }) => {
    const base = await step(saver, thread("t"), { n: 0 });
    const ids = [nextId(), nextId()];
    for (const id of ids)
      await step(saver, base, { n: 1 }, { id, metadata: { step: 1 }, versions: { n: 9 } });
    assert.deepEqual((await listed(saver, thread("t"))).slice(0, 2), ids.toReversed());
  });
}

export function testRetries({ test, testStrict }: SaverSuite): void {
  test("takes the same step again without an error and without a second checkpoint", async ({ saver }) => {
    const base = await step(saver, thread("t"), { n: 0 });
    const again = { id: nextId(), versions: { n: 2 }, metadata: { step: 1 } };
    const first = await step(saver, base, { n: 1 }, again);
    const second = await step(saver, base, { n: 1 }, again);
    assert.deepEqual(first, second);
    assert.equal((await listed(saver, thread("t"))).length, 2);
  });

  test("keeps what a task wrote first, and takes its newest interrupt", async ({ saver }) => {
    const base = await step(saver, thread("t"), { n: 0 });
    for (const value of ["first", "second"]) await saver.putWrites(base, [["n", value]], "task");
    for (const value of ["first", "second"]) await saver.putWrites(base, [["__interrupt__", value]], "asks");
    const writes = await writesOf(saver, base);
    assert.equal(writes.length, 2);
    assert.ok(JSON.stringify(writes).includes('["n","first"]'));
    assert.ok(JSON.stringify(writes).includes('["__interrupt__","second"]'));
  });

  test("finds writes that came before their checkpoint", async ({ saver }) => {
    const base = await step(saver, thread("t"), { n: 0 });
    const id = nextId();
    await saver.putWrites(
      { configurable: { ...base.configurable, checkpoint_id: id } },
      [["n", "early"]],
      "task",
    );
    const put = await step(saver, base, { n: 1 }, { id });
    assert.deepEqual(await writesOf(saver, put), [["n", "early"]]);
  });

  test("orders the writes of a task as it made them", async ({ saver }) => {
    const base = await step(saver, thread("t"), { n: 0 });
    const writes = Array.from({ length: 12 }, (_, at): [string, unknown] => ["n", at]);
    await saver.putWrites(base, writes, "task");
    assert.deepEqual(await writesOf(saver, base), writes);
  });

  testStrict("refuses the second of two writers that continue from one checkpoint", async ({ saver }) => {
    const base = await step(saver, thread("t"), { n: 0 });
    await step(saver, base, { n: 1 });
    await assert.rejects(step(saver, base, { n: 2 }));
    assert.deepEqual(await valuesOf(saver, thread("t")), { n: 1 });
  });

  testStrict("still takes the same step again", async ({ saver }) => {
    const base = await step(saver, thread("t"), { n: 0 });
    const again = { id: nextId(), versions: { n: 2 }, metadata: { step: 1 } };
    for (let tries = 0; tries < 2; tries++) await step(saver, base, { n: 1 }, again);
    assert.equal((await listed(saver, thread("t"))).length, 2);
  });
}

export function testDeletion({ test }: SaverSuite): void {
  test("does not bring a deleted thread back with what a run still wrote", async ({ saver }) => {
    const base = await step(saver, thread("t"), { n: 0 });
    await saver.deleteThread("t");
    await saver.putWrites(base, [["n", "late"]], "task").catch(() => undefined);
    await step(saver, base, { n: 1 }).catch(() => undefined);
    assert.equal(await saver.getTuple(thread("t")), undefined);
    assert.deepEqual(await listed(saver, thread("t")), []);
  });

  test("begins a deleted thread anew", async ({ saver }) => {
    const old = await step(saver, thread("t"), { n: 0 });
    await saver.putWrites(old, [["n", "old"]], "task");
    await saver.deleteThread("t");
    await step(saver, thread("t"), { n: "new" });
    assert.deepEqual(await valuesOf(saver, thread("t")), { n: "new" });
    assert.deepEqual(await writesOf(saver, thread("t")), []);
    assert.equal((await listed(saver, thread("t"))).length, 1);
  });

  test("deletes the subgraphs of a thread with it, and no other thread", async ({ saver }) => {
    for (const name of ["t", "t2", "t/sub"]) await step(saver, thread(name), { n: name });
    await step(saver, thread("t", "sub:1"), { n: "below" });
    await saver.deleteThread("t");
    assert.equal(await saver.getTuple(thread("t", "sub:1")), undefined);
    assert.deepEqual(await valuesOf(saver, thread("t2")), { n: "t2" });
    assert.deepEqual(await valuesOf(saver, thread("t/sub")), { n: "t/sub" });
  });
}
