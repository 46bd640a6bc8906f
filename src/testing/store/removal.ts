import assert from "node:assert/strict";

import {
  assertConflict,
  assertLeavesNothing,
  assertLoads,
  assertRemoval,
  commitLine,
  commitNext,
  committed,
  overview,
} from "./expectations.ts";
import { attach } from "./records.ts";
import { changeOf, idsOf, unknownId } from "./samples.ts";
import type { Suite } from "./suite.ts";

export function testRemoval({ test }: Suite): void {
  test("removes the checkpoints that it is asked for, and no others", async (store) => {
    const [a, b, c] = await commitLine(store, "main", ["a", "b", "c"]);
    await assertRemoval(store, { checkpoints: [a] }, [a]);
    assert.deepEqual(idsOf(await store.history("main")), [c, b]);
    assert.equal((await store.history("main"))[1]?.parent, a);
    assert.equal(await store.head("main"), c);
    for (const id of [b, c]) await assertLoads(store, id);
  });

  test("tells in a dry run what it would do, and does nothing", async (store) => {
    const [a, b, c] = await commitLine(store, "main", ["a", "b", "c"]);
    await commitNext(store, "fork", { trail: "fork", parent: b });
    const before = await overview(store);
    const kept = { [b]: "fork point", [c]: "head" } as const;
    await assertRemoval(store, { checkpoints: [a, b, c], dryRun: true }, [a], kept);
    await assertRemoval(store, { trails: ["main"], dryRun: true }, [a, c], { [b]: "fork point" });
    assert.deepEqual(await overview(store), before);
    await assertRemoval(store, { checkpoints: [a, b, c] }, [a], kept);
  });

  test("keeps heads, and names those that it does not know", async (store) => {
    const [a, b] = await commitLine(store, "main", ["a", "b"]);
    const unknown = unknownId();
    await assertRemoval(store, { checkpoints: [b, unknown, a] }, [a], {
      [b]: "head",
      [unknown]: "not found",
    });
    assert.equal(await store.head("main"), b);
    assert.equal(await store.tombstone(unknown), undefined);
  });

  test("keeps what a fork began from, though the fork's first checkpoints go too or went before", async (store) => {
    const [a, b] = await commitLine(store, "main", ["a", "b", "c"]);
    const first = await commitNext(store, "first", { trail: "fork", parent: b });
    const second = await commitNext(store, "second", { trail: "fork" });
    const third = await commitNext(store, "third", { trail: "fork" });
    const removal = { checkpoints: [a, b, first] };
    await assertRemoval(store, removal, [a, first], { [b]: "fork point" });
    await assertRemoval(store, { checkpoints: [b, second] }, [second], { [b]: "fork point" });
    await assertRemoval(store, { trails: ["fork"], checkpoints: [b] }, [b, third]);
  });

  test("lets a fork point go once nothing that stays descends from it", async (store) => {
    const [a, b] = await commitLine(store, "main", ["a", "b", "c"]);
    const fork = await commitLine(store, "fork", ["alone"]);
    const child = await commitNext(store, "child", { trail: "gone", parent: b });
    await commitNext(store, "grandchild", { trail: "gone" });
    await assertRemoval(store, { checkpoints: [b, child] }, [child], { [b]: "fork point" });
    await store.remove({ trails: ["gone"] });
    await assertRemoval(store, { checkpoints: [a, b] }, [a, b]);
    for (const id of fork) await assertLoads(store, id);
  });

  test("keeps what is pinned, until the pin is taken away", async (store) => {
    const [a, b] = await commitLine(store, "main", ["a", "b"]);
    await attach(store, a, { "pin/approval": "", note: "x" });
    await assertRemoval(store, { checkpoints: [a] }, [], { [a]: "pinned" });
    await assertRemoval(store, { trails: ["main"] }, [b], { [a]: "pinned" });
    await attach(store, a, { "pin/approval": null });
    await assertRemoval(store, { checkpoints: [a] }, [a]);
  });

  test("does not take a record for a pin whose key only resembles one", async (store) => {
    const [a] = await commitLine(store, "main", ["a", "b"]);
    await attach(store, a, { pin: "", "Pin/x": "", "a pin/": "", "pin-x": "" });
    await assertRemoval(store, { checkpoints: [a] }, [a]);
  });
}

export function testTrailRemoval({ test }: Suite): void {
  test("removes whole trails with their heads", async (store) => {
    const line = await commitLine(store, "gone", ["a", "b"]);
    const aside = await commitNext(store, "aside", { trail: "gone", from: "stay" });
    const stays = await commitNext(store, "a", { trail: "gone/not" });
    await assertRemoval(store, { trails: ["gone"] }, [...line, aside]);
    assert.equal(await store.head("gone"), undefined);
    assert.deepEqual(await store.history("gone"), []);
    assert.deepEqual(await store.trails(), [{ name: "gone/not", head: stays }]);
  });

  test("takes nothing more for a trail that was removed, unless it is recreated", async (store) => {
    await commitLine(store, "gone", ["a"]);
    await store.remove({ trails: ["gone"] });
    const late = changeOf("late", { trail: "gone" });
    await assertLeavesNothing(store, late);
    await assertConflict(store.commit({ trail: "gone", build: async () => late }));
    await assertConflict(store.attach({ trail: "gone", foreignId: "late" }, new Map()));
    await store.commit({ ...late, revives: true });
    await commitNext(store, "after", { trail: "gone" });
    assert.equal((await store.history("gone")).length, 2);
  });

  test("keeps the fork points of a trail that it removes, though the trail has no head any more", async (store) => {
    const [a, b, c] = await commitLine(store, "main", ["a", "b", "c"]);
    const fork = await commitNext(store, "fork", { trail: "fork", parent: c });
    await commitNext(store, "fork", { trail: "early fork", parent: a });
    await assertRemoval(store, { trails: ["main"] }, [b], { [a]: "fork point", [c]: "fork point" });
    assert.equal(await store.head("main"), undefined);
    assert.deepEqual(idsOf(await store.history("main")), [c, a]);
    assert.ok(!(await store.trails()).some(({ name }) => name === "main"));
    await store.sweep();
    for (const id of [a, c, fork]) await assertLoads(store, id);
    await assertRemoval(store, { trails: ["main", "fork"] }, [c, fork], { [a]: "fork point" });
  });

  test("keeps a fork point that only another kept fork point needs", async (store) => {
    const a = await commitNext(store, "a", { trail: "one" });
    const b = await commitNext(store, "b", { trail: "two", parent: a });
    const c = await commitNext(store, "c", { trail: "three", parent: b });
    await assertRemoval(store, { trails: ["one", "two"] }, [], { [a]: "fork point", [b]: "fork point" });
    await assertRemoval(store, { trails: ["one", "two", "three"] }, [a, b, c]);
    assert.deepEqual(await store.find({}), []);
  });
}

export function testTombstones({ test }: Suite): void {
  test("leaves a tombstone of each checkpoint that it removes", async (store) => {
    const a = await commitNext(store, "a", { createdAt: 1234 });
    const b = await commitNext(store, "b", { createdAt: 99 });
    await commitNext(store, "c");
    assert.equal(await store.tombstone(b), undefined);
    await store.remove({ checkpoints: [a, b] });
    assert.deepEqual(await store.tombstone(a), { id: a, parent: undefined, trail: "main", createdAt: 1234 });
    assert.deepEqual(await store.tombstone(b), { id: b, parent: a, trail: "main", createdAt: 99 });
    await store.sweep();
    assert.equal((await store.tombstone(a))?.createdAt, 1234);
    assert.deepEqual((await store.verify()).damage, []);
  });

  test("has no tombstone of a checkpoint that was committed again", async (store) => {
    const change = await committed(store, "a");
    const { id } = change.checkpoint;
    await commitNext(store, "b");
    await store.remove({ checkpoints: [id] });
    await store.commit({ ...change, trail: "again" });
    assert.equal(await store.tombstone(change.checkpoint.id), undefined);
    await assertLoads(store, change.checkpoint.id);
  });

  test("does nothing when it is asked for the same again", async (store) => {
    const [a, b] = await commitLine(store, "main", ["a", "b", "c"]);
    const child = await commitNext(store, "child", { trail: "fork", parent: b });
    await commitNext(store, "grandchild", { trail: "fork" });
    const removal = { checkpoints: [a, b, child, a] };
    await assertRemoval(store, removal, [a, child], { [b]: "fork point" });
    const before = await overview(store);
    const again = await store.remove(removal);
    assert.deepEqual(again.removed, []);
    assert.deepEqual(new Set(again.kept.map(({ reason }) => reason)), new Set(["not found", "fork point"]));
    assert.deepEqual(await overview(store), before);
    assert.deepEqual((await store.tombstone(child))?.parent, b);
  });

  test("does nothing when it is asked for nothing", async (store) => {
    await commitLine(store, "main", ["a", "b"]);
    const before = await overview(store);
    await assertRemoval(store, {}, []);
    await assertRemoval(store, { checkpoints: [], trails: ["no such trail"] }, []);
    assert.deepEqual(await overview(store), before);
  });
}
