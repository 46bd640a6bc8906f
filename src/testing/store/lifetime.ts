import assert from "node:assert/strict";

import { isCheckpointError } from "../../core/errors.ts";
import type { ObjectId } from "../../core/objects/object-id.ts";
import type { Store } from "../../core/store/contract.ts";
import { assertConflict, assertLoads, commitLine, commitNext, committed, overview } from "./expectations.ts";
import { attach, attached } from "./records.ts";
import { changeOf, unknownId } from "./samples.ts";
import type { Suite } from "./suite.ts";

export function testLifetime({ test, testReopened }: Suite): void {
  test("says what it is: durable or a cache, with a name and a key of its own that stay the same", async (store) => {
    assert.ok(store.durability === "durable" || store.durability === "cache");
    const { id, key } = await store.identity();
    const original = [...key];
    assert.ok(id.length > 0);
    assert.ok(key.length >= 16, "a key this short can be guessed");
    key.fill(0);
    await commitNext(store, "a");
    const again = await store.identity();
    assert.deepEqual([again.id, [...again.key]], [id, original]);
  });

  test("may be closed twice, also at once", async (store) => {
    await commitNext(store, "a");
    await Promise.all([store.close(), store.close()]);
    await store.close();
  });

  test("refuses every call after it was closed, with the error usage", async (store) => {
    const id = await commitNext(store, "a");
    await store.close();
    for (const call of everyCall(store, id)) {
      await assert.rejects(call, (error) => {
        assert.ok(isCheckpointError(error, "usage"), `${call.toString()} rejected with ${String(error)}`);
        return true;
      });
    }
  });

  testReopened("finds everything again after it was closed", async (store, reopen) => {
    const [a, b] = await commitLine(store, "main", ["a", "b", "c"]);
    await commitNext(store, "fork", { trail: "fork", parent: b, foreignId: "f" });
    await attach(store, b, { "pin/x": "", note: "kept" });
    await store.remove({ checkpoints: [a] });
    const before = { ...(await overview(store)), tombstone: await store.tombstone(a) };
    const { id, key } = await store.identity();

    const again = await reopen();
    assert.deepEqual({ ...(await overview(again)), tombstone: await again.tombstone(a) }, before);
    assert.deepEqual(await attached(again, b), { "pin/x": "", note: "kept" });
    for (const { id: checkpoint } of await again.find({})) await assertLoads(again, checkpoint);
    await assertConflict(again.commit(changeOf("g", { trail: "fork", from: "stay", foreignId: "f" })));
    await commitNext(again, "d");
    const identity = await again.identity();
    assert.deepEqual([identity.id, [...identity.key]], [id, [...key]]);
  });

  testReopened(
    "keeps every commit that was acknowledged before or while it was closed",
    async (store, reopen) => {
      const acknowledged: ObjectId[] = [];
      const commits = Array.from({ length: 10 }, async (_, index) => {
        const change = await committed(store, index, { trail: `trail ${index}` });
        acknowledged.push(change.checkpoint.id);
      });
      const all = Promise.allSettled(commits);
      await commits[0];
      await store.close();
      await all;
      const again = await reopen();
      assert.ok(acknowledged.length > 0);
      for (const id of acknowledged) await assertLoads(again, id);
      assert.deepEqual((await again.verify()).damage, []);
    },
  );
}

function everyCall(store: Store, id: ObjectId): (() => Promise<unknown>)[] {
  return [
    () => store.identity(),
    () => store.commit(changeOf("b", { from: id })),
    () => store.commit({ trail: "main", build: async (head) => changeOf("c", { from: head }) }),
    () => store.readObjects([id]),
    () => store.head("main"),
    () => store.history("main"),
    () => store.find({}),
    () => store.trails(),
    () => store.attach(id, new Map([["key", new Uint8Array(1)]])),
    () => store.attachments([id]),
    () => store.lineage(id),
    () => store.readLog(),
    () => store.remove({ checkpoints: [unknownId()] }),
    () => store.tombstone(id),
    () => store.sweep(),
    () => store.verify(),
  ];
}
