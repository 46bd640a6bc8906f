import assert from "node:assert/strict";

import type { ObjectId } from "../../objects/object-id.ts";
import type { Removal, RemovalResult, Store } from "../contract.ts";
import { assertLoads, commitLine, commitNext, overview } from "./expectations.ts";
import { attach } from "./records.ts";
import { changeOf, idsOf, unknownId } from "./samples.ts";
import type { Suite } from "./suite.ts";

type Line = [ObjectId, ObjectId, ObjectId];

export function testRemoval({ test }: Suite): void {
  test("removes the checkpoints that it is asked for, and no others", async (store) => {
    const [a, b, c] = (await commitLine(store, "main", ["a", "b", "c"])) as Line;
    await assertRemoval(store, { checkpoints: [a] }, { removed: [a] });
    assert.deepEqual(idsOf(await store.history("main")), [c, b]);
    assert.equal(await store.head("main"), c);
    for (const id of [b, c]) await assertLoads(store, id);
  });

  test("keeps the parent that a checkpoint names after the parent is gone", async (store) => {
    const [a, b] = (await commitLine(store, "main", ["a", "b"])) as Line;
    await store.remove({ checkpoints: [a] });
    assert.equal((await store.history("main"))[0]?.parent, a);
    assert.equal(await store.head("main"), b);
  });

  test("keeps heads, and names those that it does not know", async (store) => {
    const [a, b] = (await commitLine(store, "main", ["a", "b"])) as Line;
    const unknown = unknownId();
    await assertRemoval(
      store,
      { checkpoints: [b, unknown, a] },
      {
        removed: [a],
        kept: [
          [b, "head"],
          [unknown, "not found"],
        ],
      },
    );
    assert.equal(await store.head("main"), b);
    assert.equal(await store.tombstone(unknown), undefined);
  });

  test("keeps what other trails fork from", async (store) => {
    const [a, b] = (await commitLine(store, "main", ["a", "b", "c"])) as Line;
    await commitNext(store, "fork", { trail: "fork", parent: b });
    await assertRemoval(store, { checkpoints: [a, b] }, { removed: [a], kept: [[b, "fork point"]] });
    await assertLoads(store, b);
  });

  test("keeps what is pinned, until the pin is taken away", async (store) => {
    const [a] = (await commitLine(store, "main", ["a", "b"])) as Line;
    await attach(store, a, { "pin/approval": "", note: "x" });
    await assertRemoval(store, { checkpoints: [a] }, { kept: [[a, "pinned"]] });
    await assertRemoval(
      store,
      { trails: ["main"] },
      { removed: [await headOf(store)], kept: [[a, "pinned"]] },
    );
    await attach(store, a, { "pin/approval": null });
    await assertRemoval(store, { checkpoints: [a] }, { removed: [a] });
  });

  test("does not take a record for a pin whose key only resembles one", async (store) => {
    const [a] = (await commitLine(store, "main", ["a", "b"])) as Line;
    await attach(store, a, { pin: "", "Pin/x": "", "a pin/": "", "pin-x": "" });
    await assertRemoval(store, { checkpoints: [a] }, { removed: [a] });
  });

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
    const change = changeOf("a");
    await store.commit(change);
    await store.remove({ trails: ["main"] });
    await store.commit(change);
    assert.equal(await store.tombstone(change.checkpoint.id), undefined);
    await assertLoads(store, change.checkpoint.id);
  });

  test("does nothing when it is asked for the same again", async (store) => {
    const [a, b] = (await commitLine(store, "main", ["a", "b", "c"])) as Line;
    const child = await commitNext(store, "child", { trail: "fork", parent: b });
    await commitNext(store, "grandchild", { trail: "fork" });
    const removal = { checkpoints: [a, b, child, a] };
    await assertRemoval(store, removal, { removed: [a, b, child] });
    const before = await overview(store);
    const again = await store.remove(removal);
    assert.deepEqual(again.removed, []);
    assert.ok(again.kept.every(({ reason }) => reason === "not found"));
    assert.deepEqual(await overview(store), before);
    assert.deepEqual((await store.tombstone(child))?.parent, b);
  });

  test("does nothing when it is asked for nothing", async (store) => {
    await commitLine(store, "main", ["a", "b"]);
    const before = await overview(store);
    await assertRemoval(store, {}, {});
    await assertRemoval(store, { checkpoints: [], trails: ["no such trail"] }, {});
    assert.deepEqual(await overview(store), before);
  });

  testTrailRemoval({ test });
}

function testTrailRemoval({ test }: Pick<Suite, "test">): void {
  test("removes whole trails with their heads", async (store) => {
    const line = await commitLine(store, "gone", ["a", "b"]);
    const aside = await commitNext(store, "aside", { trail: "gone", from: "stay" });
    const stays = await commitNext(store, "a", { trail: "gone/not" });
    await assertRemoval(store, { trails: ["gone"] }, { removed: [...line, aside] });
    assert.equal(await store.head("gone"), undefined);
    assert.deepEqual(await store.history("gone"), []);
    assert.deepEqual(await store.trails(), [{ name: "gone/not", head: stays }]);
    const anew = await commitNext(store, "anew", { trail: "gone" });
    assert.deepEqual(idsOf(await store.history("gone")), [anew]);
  });

  test("keeps the fork points of a trail that it removes, though the trail has no head any more", async (store) => {
    const [a, b, c] = (await commitLine(store, "main", ["a", "b", "c"])) as Line;
    const fork = await commitNext(store, "fork", { trail: "fork", parent: c });
    await commitNext(store, "fork", { trail: "early fork", parent: a });
    await assertRemoval(
      store,
      { trails: ["main"] },
      {
        removed: [b],
        kept: [
          [a, "fork point"],
          [c, "fork point"],
        ],
      },
    );
    assert.equal(await store.head("main"), undefined);
    assert.deepEqual(idsOf(await store.history("main")), [c, a]);
    assert.ok(!(await store.trails()).some(({ name }) => name === "main"));
    await store.sweep();
    for (const id of [a, c, fork]) await assertLoads(store, id);
    await assertRemoval(
      store,
      { trails: ["main", "fork"] },
      { removed: [c, fork], kept: [[a, "fork point"]] },
    );
  });

  test("keeps a fork point that only another kept fork point needs", async (store) => {
    const a = await commitNext(store, "a", { trail: "one" });
    const b = await commitNext(store, "b", { trail: "two", parent: a });
    const c = await commitNext(store, "c", { trail: "three", parent: b });
    await assertRemoval(
      store,
      { trails: ["one", "two"] },
      {
        kept: [
          [a, "fork point"],
          [b, "fork point"],
        ],
      },
    );
    await assertRemoval(store, { trails: ["one", "two", "three"] }, { removed: [a, b, c] });
    assert.deepEqual(await store.find({}), []);
  });
}

async function headOf(store: Store): Promise<ObjectId> {
  return (await store.head("main")) as ObjectId;
}

interface Expected {
  readonly removed?: readonly ObjectId[];
  readonly kept?: readonly (readonly [ObjectId, RemovalResult["kept"][number]["reason"]])[];
}

async function assertRemoval(
  store: Store,
  removal: Removal,
  { removed = [], kept = [] }: Expected,
): Promise<void> {
  const result = await store.remove(removal);
  assert.deepEqual(result.removed.toSorted(), removed.toSorted());
  const reasons = result.kept.map(({ id, reason }) => `${id} ${reason}`).toSorted();
  assert.deepEqual(reasons, kept.map((pair) => pair.join(" ")).toSorted());
}
