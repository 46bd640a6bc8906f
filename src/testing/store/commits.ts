import assert from "node:assert/strict";

import {
  assertConflict,
  assertLeavesNothing,
  assertLoads,
  assertStale,
  commitLine,
  commitNext,
  committed,
  overview,
} from "./expectations.ts";
import { changeOf, changeWith, idsOf, unknownId, valueOf } from "./samples.ts";
import type { Suite } from "./suite.ts";

export function testCommits({ test }: Suite): void {
  test("moves a trail's head to what was committed last", async (store) => {
    assert.equal(await store.head("main"), undefined);
    const ids = await commitLine(store, "main", ["a", "b", "c"]);
    assert.equal(await store.head("main"), ids[2]);
    for (const id of ids) await assertLoads(store, id);
  });

  test("refuses a change whose head has moved on, and leaves nothing of it behind", async (store) => {
    const [first] = await commitLine(store, "main", ["a", "b"]);
    await assertLeavesNothing(store, changeOf("late", { from: first, createdAt: 7, foreignId: "late" }));
  });

  test("refuses to begin a trail that has a head already, and to go on with one that has none", async (store) => {
    await commitNext(store, "a");
    await assertLeavesNothing(store, changeOf("begin", { from: undefined }));
    await assertLeavesNothing(store, changeOf("go on", { trail: "empty", from: unknownId() }));
  });

  test("refuses a change that refers to what is not there, and leaves nothing of it behind", async (store) => {
    const first = await commitNext(store, "a");
    const lost = valueOf("never committed");
    const fromCheckpoint = changeWith("b", lost, { from: first });
    await assertLeavesNothing(store, fromCheckpoint, assertStale);
    const root = valueOf("root", [lost]);
    const fromObject = { ...changeWith("c", root, { from: first }), objects: [valueOf("complete"), root] };
    await assertLeavesNothing(store, fromObject, assertStale);
  });

  test("takes a refused change after all once it is complete", async (store) => {
    const lost = valueOf("lost");
    const change = changeWith("a", lost);
    await assertStale(store.commit(change));
    await store.commit({ ...change, objects: [lost] });
    await assertLoads(store, change.checkpoint.id);
  });
}

export function testHeadsAndParents({ test }: Suite): void {
  test("leaves the head where it is when a change does not move it", async (store) => {
    const head = await commitNext(store, "a");
    const aside = await commitNext(store, "aside", { from: "stay", parent: head });
    assert.equal(await store.head("main"), head);
    await assertLoads(store, aside);
    await commitNext(store, "nowhere yet", { trail: "headless", from: "stay" });
    assert.equal(await store.head("headless"), undefined);
  });

  test("keeps the parent that a change names, whatever its head was", async (store) => {
    const [first, second] = await commitLine(store, "main", ["a", "b"]);
    const child = await commitNext(store, "child of the first", { from: second, parent: first });
    const orphan = await commitNext(store, "child of nobody", { from: child, parent: undefined });
    const [newest, next] = await store.history("main");
    assert.deepEqual([newest?.id, newest?.parent], [orphan, undefined]);
    assert.deepEqual([next?.id, next?.parent], [child, first]);
  });

  test("takes one and the same change into several trails", async (store) => {
    const change = await committed(store, "a");
    await store.commit({ ...change, trail: "copy" });
    assert.equal(await store.head("main"), change.checkpoint.id);
    assert.equal(await store.head("copy"), change.checkpoint.id);
    assert.deepEqual(idsOf(await store.history("main")), [change.checkpoint.id]);
    assert.deepEqual(idsOf(await store.history("copy")), [change.checkpoint.id]);
  });
}

export function testForeignIds({ test }: Suite): void {
  test("refuses a second checkpoint with the same foreign id in a trail, leaving nothing behind", async (store) => {
    const first = await commitNext(store, "a", { foreignId: "1ef4" });
    await assertLeavesNothing(store, changeOf("b", { from: first, foreignId: "1ef4" }));
    await assertLeavesNothing(store, changeOf("c", { from: "stay", foreignId: "1ef4" }));
  });

  test("allows the same foreign id in another trail, and any number of checkpoints without one", async (store) => {
    const first = await commitNext(store, "a", { foreignId: "1ef4" });
    const other = await commitNext(store, "a", { trail: "other", foreignId: "1ef4" });
    await commitLine(store, "main", ["b", "c"]);
    assert.deepEqual(idsOf(await store.find({ foreignId: "1ef4" })), [first, other]);
  });

  test("takes the same checkpoint with the same foreign id again, and has it once", async (store) => {
    const change = await committed(store, "a", { from: "stay", foreignId: "1ef4" });
    const before = await overview(store);
    await store.commit(change);
    assert.deepEqual(await overview(store), before);
    assert.deepEqual(idsOf(await store.find({ foreignId: "1ef4" })), [change.checkpoint.id]);
  });

  test("gives a checkpoint one foreign id, later if need be, and tells it", async (store) => {
    const change = await committed(store, "a", { from: "stay" });
    await store.commit({ ...change, foreignId: "1ef4" });
    await assertLeavesNothing(store, { ...change, foreignId: "2ab0" });
    const [found] = await store.find({ trail: "main", foreignId: "1ef4" });
    assert.deepEqual([found?.id, found?.foreignId], [change.checkpoint.id, "1ef4"]);
    assert.equal((await store.history("main"))[0]?.foreignId, "1ef4");
  });

  test("frees a foreign id when its checkpoint is removed", async (store) => {
    const first = await commitNext(store, "a", { foreignId: "1ef4" });
    await commitNext(store, "b");
    await store.remove({ checkpoints: [first] });
    const again = await commitNext(store, "c", { foreignId: "1ef4" });
    assert.deepEqual(idsOf(await store.find({ foreignId: "1ef4" })), [again]);
  });
}

const ODD_NAMES = [
  `it's "quoted"; DROP TABLE objects; --`,
  "naïve/日本語/🗻",
  "%_*?[a-z]\\",
  " spaced\tand\nbroken ",
  "__proto__",
  "n".repeat(200),
  "Main",
];

export function testNames({ test }: Suite): void {
  test("keeps trails and foreign ids apart whatever characters their names have", async (store) => {
    const ids = new Map<string, string>();
    for (const name of ["main", ...ODD_NAMES]) {
      ids.set(name, await commitNext(store, name, { trail: name, foreignId: name }));
    }
    for (const [name, id] of ids) {
      assert.equal(await store.head(name), id);
      assert.deepEqual(idsOf(await store.history(name)), [id]);
      assert.deepEqual(idsOf(await store.find({ foreignId: name })), [id]);
      assert.deepEqual(await store.trails({ prefix: name }), [{ name, head: id }]);
    }
    assert.equal((await store.trails()).length, ids.size);
  });
}

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
    const change = await committed(store, "a", { from: "stay" });
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
