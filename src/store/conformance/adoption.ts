import assert from "node:assert/strict";

import { assertConflict, commitLine, commitNext } from "./expectations.ts";
import { changeOf, idsOf } from "./samples.ts";
import type { Suite } from "./suite.ts";

export function testAdoption({ test }: Suite): void {
  test("makes a hidden trail appear as another one, all at once and in its order", async (store) => {
    const [a, b] = await commitLine(store, ".hidden", ["a", "b"]);
    const change = changeOf("c", { parent: b });
    await store.commit({ ...change, adopts: ".hidden" });
    assert.deepEqual(idsOf(await store.history("main")), [change.checkpoint.id, b, a]);
    assert.deepEqual(idsOf(await store.find({})), [a, b, change.checkpoint.id]);
    assert.deepEqual(await store.trails(), [{ name: "main", head: change.checkpoint.id }]);
    assert.deepEqual(await store.history(".hidden"), []);
    assert.equal(await store.head(".hidden"), undefined);
    assert.deepEqual((await store.verify()).damage, []);
  });

  test("adopts its own head, and what it has already stays where it is", async (store) => {
    const change = changeOf("a", { from: "stay" });
    await store.commit(change);
    await store.commit({ ...change, trail: ".hidden" });
    const last = changeOf("b", { trail: ".hidden", from: "stay" });
    await store.commit(last);
    await store.commit({ ...last, trail: "main", head: { from: undefined }, adopts: ".hidden" });
    assert.deepEqual(idsOf(await store.history("main")), [last.checkpoint.id, change.checkpoint.id]);
    assert.equal(await store.head("main"), last.checkpoint.id);
  });

  test("adopts nothing when the change is refused", async (store) => {
    const line = await commitLine(store, ".hidden", ["a", "b"]);
    const own = await commitNext(store, "own");
    await assertConflict(store.commit({ ...changeOf("late"), adopts: ".hidden" }));
    assert.deepEqual(idsOf(await store.history("main")), [own]);
    assert.deepEqual(idsOf(await store.history(".hidden")), line.toReversed());
  });

  test("shows hidden trails only to who names them, and leaves no tombstones of them", async (store) => {
    const hidden = await commitNext(store, "a", { trail: ".hidden/1" });
    const shown = await commitNext(store, "a");
    assert.deepEqual(idsOf(await store.find({})), [shown]);
    assert.deepEqual(await store.find({ idPrefix: hidden }), []);
    assert.deepEqual(idsOf(await store.find({ trail: ".hidden/1" })), [hidden]);
    assert.deepEqual(await store.trails(), [{ name: "main", head: shown }]);
    assert.deepEqual(await store.trails({ prefix: ".hidden/" }), [{ name: ".hidden/1", head: hidden }]);
    await store.remove({ trails: [".hidden/1"] });
    assert.equal(await store.tombstone(hidden), undefined);
    assert.deepEqual(await store.history(".hidden/1"), []);
  });
}
