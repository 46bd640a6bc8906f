import assert from "node:assert/strict";

import { newBytes, type NewObject } from "../../core/objects/object-format.ts";
import { objectIdOf, type ObjectId } from "../../core/objects/object-id.ts";
import type { Store } from "../../core/store/contract.ts";
import { assertLoads, assertStale, commitNext, committed } from "./expectations.ts";
import { changeOf, changeWith, idsOf, objectsOf, rawOf, unknownId, valueOf } from "./samples.ts";
import type { Suite } from "./suite.ts";

export function testObjects({ test }: Suite): void {
  test("leaves out what it does not have", async (store) => {
    const change = await committed(store, "a");
    const found = await store.readObjects([unknownId(), change.checkpoint.id, unknownId("else")]);
    assert.deepEqual([...found.keys()], [change.checkpoint.id]);
    assert.equal((await store.readObjects([])).size, 0);
  });

  test("reads an object that is asked for twice, among more ids than a query has room for", async (store) => {
    const { checkpoint, ...change } = changeOf("a");
    await store.commit({ ...change, checkpoint });
    const many = Array.from({ length: 40_000 }, (_, index) => unknownId(String(index)));
    const found = await store.readObjects([checkpoint.id, ...many, checkpoint.id]);
    assert.deepEqual([...found.keys()], [checkpoint.id]);
  });

  test("keeps an object once that many checkpoints share", async (store) => {
    const shared = valueOf("shared");
    await commitNext(store, "a", { objects: [shared] });
    const before = await store.verify();
    await commitNext(store, "b", { objects: [shared] });
    await commitNext(store, "c", { trail: "other", objects: [shared] });
    // Each brought a checkpoint, a root and a leaf of its own.
    assert.equal((await store.verify()).objects, before.objects + 6);
  });

  test("takes a change that brings only its checkpoint when the rest is there already", async (store) => {
    const first = await committed(store, "a");
    const root = first.objects.at(-1) as NewObject;
    const second = changeWith("b", root, { from: first.checkpoint.id });
    await store.commit(second);
    await assertLoads(store, second.checkpoint.id);
  });

  test("keeps an object of a megabyte, and one of no size at all beside its header", async (store) => {
    const big = valueOf("0123456789abcdef".repeat(65_536));
    const small = valueOf("");
    await commitNext(store, "a", { objects: [big, small] });
    await assertHolds(store, [big, small]);
  });

  test("keeps thousands of objects of one change", async (store) => {
    const objects = Array.from({ length: 3000 }, (_, index) => valueOf(index));
    await commitNext(store, "a", { objects });
    await assertHolds(store, objects);
  });
}

export function testRawBytes({ test, testReopened }: Suite): void {
  test("keeps raw bytes of any content: none, one, text, a megabyte of noise", async (store) => {
    const noise = Buffer.from(
      Array.from({ length: 32_768 }, (_, at) => unknownId(String(at))).join(""),
      "hex",
    );
    const raw = [[], [66], [0x28, 0xb5, 0x2f, 0xfd], Buffer.from("B\n"), noise].map((each) =>
      newBytes(Uint8Array.from(each)),
    );
    await commitNext(store, "a", { objects: [...raw, valueOf("files", raw)] });
    await assertHolds(store, raw);
    assert.deepEqual((await store.verify()).damage, []);
  });

  testReopened("gives every version of a file back, also beyond a chain's length", async (store, reopen) => {
    let from: ObjectId | undefined;
    const versions: NewObject[] = [];
    for (let version = 0; version < 80; version++) {
      const raw = rawOf(`version ${version}`, versions.at(-1)?.id);
      versions.push(raw);
      const root = valueOf(["files", version], [raw]);
      const change = changeWith(version, root, { from });
      await store.commit({ ...change, objects: [raw, root] });
      from = change.checkpoint.id;
    }
    const again = await reopen();
    await assertHolds(again, versions);
    assert.deepEqual((await again.verify()).damage, []);
  });

  test("keeps two versions of a file that come at once, in either order, also when the first was there", async (store) => {
    const versions = [rawOf("one"), rawOf("two", rawOf("one").id), rawOf("three", rawOf("two").id)];
    const root = valueOf("files", versions);
    await commitNext(store, "a", { objects: [...versions, root] });
    await commitNext(store, "b", { trail: "b", objects: [rawOf("two"), rawOf("four", rawOf("two").id)] });
    await commitNext(store, "c", { trail: "c", objects: [rawOf("six", rawOf("five").id), rawOf("five")] });
    await assertHolds(store, [...versions, rawOf("four"), rawOf("five"), rawOf("six")]);
    assert.deepEqual((await store.verify()).damage, []);
  });

  test("keeps the next version of a file when a sweep deletes the one before", async (store) => {
    const old = rawOf("old");
    const next = rawOf("next", old.id);
    const first = changeWith("first", valueOf("first", [old]));
    await store.commit({ ...first, objects: [old, valueOf("first", [old])] });
    const second = changeWith("second", valueOf("second", [next]), { from: first.checkpoint.id });
    await store.commit({ ...second, objects: [next, valueOf("second", [next])] });
    await store.remove({ checkpoints: [first.checkpoint.id] });
    await store.sweep();
    assert.deepEqual([...(await store.readObjects([old.id, next.id])).keys()], [next.id]);
    await assertHolds(store, [next]);
    assert.deepEqual((await store.verify()).damage, []);
  });

  test("deletes raw bytes that nothing refers to, and says when some are missing", async (store) => {
    const raw = rawOf("left over");
    const change = changeOf("a");
    await store.commit({ ...change, objects: [raw, ...change.objects] });
    await store.sweep();
    assert.equal((await store.readObjects([raw.id])).size, 0);
    await assertStale(store.commit(changeWith("b", valueOf("b", [raw]), { trail: "other" })));
  });
}

export function testBuffers({ test }: Suite): void {
  test("keeps bytes that are a view of a larger buffer", async (store) => {
    const value = valueOf("view");
    const buffer = new Uint8Array(value.bytes.length + 20).fill(120);
    buffer.set(value.bytes, 10);
    const view = buffer.subarray(10, 10 + value.bytes.length);
    await commitNext(store, "a", { objects: [{ ...value, bytes: view }] });
    await assertHolds(store, [value]);
  });

  test("is not changed by a caller that reuses its buffers after the commit", async (store) => {
    const change = await committed(store, "a");
    await assertHolds(store, objectsOf(change));
    for (const { bytes } of objectsOf(change)) bytes.fill(0);
    await assertHolds(store, objectsOf(change));
  });

  test("is not changed by a caller that writes into the bytes it was given", async (store) => {
    const change = await committed(store, "a");
    for (const bytes of (await store.readObjects(idsOf(objectsOf(change)))).values()) bytes.fill(0);
    for (const { bytes } of await store.history("main")) bytes.fill(0);
    for (const { bytes } of await store.find({})) bytes.fill(0);
    await assertHolds(store, objectsOf(change));
  });
}

/** A predecessor is advice about how to store an object, never something that the object needs. */
export function testPredecessors({ test }: Suite): void {
  test("keeps an object whole whose predecessor it never had", async (store) => {
    const value = valueOf("a", [], unknownId());
    await commitNext(store, "a", { objects: [value] });
    await assertHolds(store, [value]);
  });

  test("reads every object of a long line of predecessors", async (store) => {
    const versions: NewObject[] = [];
    for (let version = 0; version < 60; version++) {
      const value = valueOf([version, "the same long text ".repeat(200)], [], versions.at(-1)?.id);
      await commitNext(store, version, { objects: [value] });
      versions.push(value);
    }
    await assertHolds(store, versions);
    assert.deepEqual((await store.verify()).damage, []);
  });

  test("keeps an object when the predecessor is removed and swept", async (store) => {
    const old = valueOf(["old", "the same long text ".repeat(200)]);
    const young = valueOf(["young", "the same long text ".repeat(200)], [], old.id);
    await commitNext(store, "a", { trail: "old", objects: [old] });
    await commitNext(store, "b", { trail: "young", objects: [young] });
    await store.remove({ trails: ["old"] });
    await store.sweep();
    await assertHolds(store, [young]);
    assert.deepEqual((await store.verify()).damage, []);
  });
}

/** By their names and lengths alone: a test may have overwritten the bytes that it brought. */
async function assertHolds(store: Store, objects: readonly NewObject[]): Promise<void> {
  const found = await store.readObjects(idsOf(objects));
  for (const { id, bytes } of objects) {
    const stored = found.get(id) as Uint8Array;
    assert.ok(stored instanceof Uint8Array, `object ${id} is not there`);
    assert.equal(objectIdOf(stored), id);
    assert.equal(stored.length, bytes.length);
  }
}
