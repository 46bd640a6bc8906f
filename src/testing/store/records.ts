import assert from "node:assert/strict";

import type { ObjectId } from "../../core/objects/object-id.ts";
import type { ForeignName, Store } from "../../core/store/contract.ts";
import {
  assertLeavesNothing,
  assertNotFound,
  assertUsage,
  commitLine,
  commitNext,
  committed,
  text,
} from "./expectations.ts";
import { changeOf, unknownId } from "./samples.ts";
import type { Suite } from "./suite.ts";

export function testRecords({ test }: Suite): void {
  test("attaches records to a checkpoint, and only to that one", async (store) => {
    const [a, b] = await commitLine(store, "main", ["a", "b"]);
    await attach(store, a, { one: "1", two: "2" });
    await attach(store, b, { one: "else" });
    assert.deepEqual(await attached(store, a), { one: "1", two: "2" });
    assert.deepEqual(await attached(store, b), { one: "else" });
  });

  test("replaces a record with the same key, and deletes one that becomes null", async (store) => {
    const id = await commitNext(store, "a");
    await attach(store, id, { one: "1", two: "2", three: "3" });
    await attach(store, id, { one: "new", two: null, unknown: null, four: "4" });
    assert.deepEqual(await attached(store, id), { one: "new", three: "3", four: "4" });
  });

  test("keeps empty records, and odd keys apart", async (store) => {
    const id = await commitNext(store, "a");
    const records = {
      empty: "",
      "": "no key",
      Empty: "case",
      'it\'s 日本 "%"': "odd",
      ["k".repeat(200)]: "long",
    };
    await attach(store, id, records);
    assert.deepEqual(await attached(store, id), records);
    await store.attach(id, new Map());
    assert.deepEqual(await attached(store, id), records);
  });

  test("refuses keys and foreign ids that UTF-8 cannot tell apart", async (store) => {
    const change = await committed(store, "a");
    const halves = { "\ud800": "1", "\udfff": "2" };
    await assertUsage(attach(store, change.checkpoint.id, halves));
    await assertUsage(attach(store, { trail: "main", foreignId: "\ud800" }, { one: "1" }));
    await assertLeavesNothing(
      store,
      changeOf("b", { from: change.checkpoint.id, foreignId: "\ud800" }),
      assertUsage,
    );
    assert.deepEqual(await attached(store, change.checkpoint.id), {});
  });

  test("has no records for a checkpoint that it does not have, and takes none for it", async (store) => {
    assert.equal((await store.attachments([unknownId()])).size, 0);
    await assertNotFound(attach(store, unknownId(), { one: "1" }));
    assert.equal((await store.attachments([unknownId()])).size, 0);
  });

  test("is not changed by a caller that reuses a record's buffer", async (store) => {
    const id = await commitNext(store, "a");
    const value = bytesOf("original");
    await store.attach(id, new Map([["one", value]]));
    value.fill(0);
    (await store.attachments([id])).get(id)?.get("one")?.fill(0);
    assert.deepEqual(await attached(store, id), { one: "original" });
  });
}

export function testRecordsOfCommits({ test, testOrdered }: Suite): void {
  test("takes records along with a commit, or leaves both", async (store) => {
    const change = changeOf("a");
    await store.commit({ ...change, records: new Map([["one", bytesOf("1")]]) });
    assert.deepEqual(await attached(store, change.checkpoint.id), { one: "1" });
    const late = changeOf("late");
    await store.commit({ ...late, records: new Map([["one", bytesOf("1")]]) }).catch(() => undefined);
    assert.equal((await store.attachments([late.checkpoint.id])).size, 0);
  });

  test("keeps records for a checkpoint that has not come yet, by its foreign id", async (store) => {
    const name = { trail: "main", foreignId: "1ef4" };
    await attach(store, name, { early: "1", gone: "2" });
    await attach(store, name, { gone: null });
    const other = await commitNext(store, "other", { trail: "other", foreignId: "1ef4" });
    const id = await commitNext(store, "a", { foreignId: "1ef4" });
    assert.deepEqual(await attached(store, id), { early: "1" });
    assert.deepEqual(await attached(store, other), {});
    await attach(store, name, { late: "3" });
    assert.deepEqual(await attached(store, id), { early: "1", late: "3" });
  });

  test("takes records and commits that are asked for at once, each whole or not at all", async (store) => {
    const names = ["1ef4", "2ab0", "3c51"].map((foreignId) => ({ trail: foreignId, foreignId }));
    const changes = names.map(({ trail, foreignId }) => changeOf(foreignId, { trail, foreignId }));
    const ends = await Promise.allSettled([
      ...names.map((name) => attach(store, name, { early: name.foreignId })),
      attach(store, unknownId(), { one: "1" }),
      ...changes.map((change) => store.commit(change)),
      ...names.map((name) => attach(store, name, { late: name.foreignId })),
    ]);
    assert.deepEqual(
      ends.map(({ status }) => status === "fulfilled"),
      ends.map((_, at) => at !== names.length),
    );
    for (const [at, { foreignId }] of names.entries()) {
      const id = changes[at]?.checkpoint.id as ObjectId;
      assert.deepEqual(await attached(store, id), { early: foreignId, late: foreignId });
    }
  });

  testOrdered("writes what is asked for at once in the order in which it was asked for", async (store) => {
    const name = { trail: "main", foreignId: "1ef4" };
    const change = changeOf("a", { foreignId: "1ef4" });
    const isAbsent = { ifAbsent: true };
    await Promise.all([
      attach(store, name, { last: "1", left: "1" }),
      attach(store, name, { last: "2" }),
      attach(store, name, { left: null }),
      store.commit(change),
      attach(store, name, { last: "3", left: "3" }, isAbsent),
      attach(store, name, { last: null }),
      attach(store, name, { last: "4" }, isAbsent),
      attach(store, name, { last: "5" }, isAbsent),
    ]);
    assert.deepEqual(await attached(store, change.checkpoint.id), { last: "4", left: "3" });
  });

  test("leaves a record that is there when it is to attach only what is absent", async (store) => {
    const id = await commitNext(store, "a", { foreignId: "1ef4" });
    const waiting = { trail: "main", foreignId: "2ab0" };
    for (const to of [id, waiting])
      for (const one of ["first", "second"]) await attach(store, to, { one }, { ifAbsent: true });
    const second = await commitNext(store, "b", { foreignId: "2ab0" });
    assert.deepEqual(await attached(store, id), { one: "first" });
    assert.deepEqual(await attached(store, second), { one: "first" });
  });

  test("tells the ancestors of a checkpoint with their records, past those that were removed", async (store) => {
    const [a, b, c] = await commitLine(store, "main", ["a", "b", "c"]);
    const fork = await commitNext(store, "fork", { trail: "fork", parent: c });
    await attach(store, a, { one: "1" });
    await store.remove({ checkpoints: [b] });
    const line = await store.lineage(fork);
    const told = line.map(({ id, trail, records }) => [id, trail, text(records.get("one"))]);
    assert.deepEqual(told, [
      [fork, "fork", ""],
      [c, "main", ""],
      [a, "main", "1"],
    ]);
    assert.equal((await store.lineage(fork, { limit: 2 })).length, 2);
    assert.deepEqual(await store.lineage(unknownId()), []);
  });
}

const bytesOf = (value: string) => new TextEncoder().encode(value);

export function testLifeOfRecords({ test }: Suite): void {
  test("lets the records leave with their checkpoint, for good", async (store) => {
    const change = await committed(store, "a");
    const { id } = change.checkpoint;
    await commitNext(store, "b");
    await attach(store, id, { one: "1" });
    await store.remove({ checkpoints: [id] });
    assert.equal((await store.attachments([id])).size, 0);
    await assertNotFound(attach(store, id, { two: "2" }));
    await store.commit({ ...change, trail: "again" });
    assert.equal((await store.attachments([id])).size, 0);
  });

  test("keeps all of many records that are attached at once", async (store) => {
    const id = await commitNext(store, "a");
    const keys = Array.from({ length: 20 }, (_, index) => `key ${index}`);
    await Promise.all(keys.map((key) => attach(store, id, { [key]: key })));
    assert.deepEqual(await attached(store, id), Object.fromEntries(keys.map((key) => [key, key])));
  });

  test("changes neither hashes nor heads by attaching", async (store) => {
    const id = await commitNext(store, "a");
    const before = await store.verify();
    await attach(store, id, { one: "1" });
    assert.deepEqual(await store.verify(), before);
    assert.equal(await store.head("main"), id);
  });
}

export async function attach(
  store: Store,
  to: ObjectId | ForeignName,
  records: Record<string, string | null>,
  options?: { readonly ifAbsent: boolean },
): Promise<void> {
  const entries = Object.entries(records).map(
    ([key, value]) => [key, value === null ? null : bytesOf(value)] as const,
  );
  await store.attach(to, new Map(entries), options);
}

export async function attached(store: Store, id: ObjectId): Promise<Record<string, string>> {
  const records = (await store.attachments([id])).get(id) ?? [];
  return Object.fromEntries([...records].map(([key, value]) => [key, text(value)]));
}
