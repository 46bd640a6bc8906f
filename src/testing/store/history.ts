import assert from "node:assert/strict";

import type { ObjectId } from "../../core/objects/object-id.ts";
import type { StoredCheckpoint } from "../../core/store/contract.ts";
import { assertNotFound, commitLine, commitNext, committed, plain, text } from "./expectations.ts";
import { idsOf, unknownId } from "./samples.ts";
import type { Suite } from "./suite.ts";

export function testHistory({ test }: Suite): void {
  test("has no history for a trail that nobody committed to", async (store) => {
    await commitNext(store, "a");
    assert.deepEqual(await store.history("other"), []);
  });

  test("tells a trail's history newest commit first, whatever the clocks said", async (store) => {
    const ids: ObjectId[] = [];
    for (const createdAt of [5000, 1000, 9000, -3000, 1000]) {
      ids.push(await commitNext(store, ["at", createdAt, ids.length], { createdAt }));
    }
    assert.deepEqual(idsOf(await store.history("main")), ids.toReversed());
  });

  test("tells all there is to know of a checkpoint", async (store) => {
    const first = await commitNext(store, "a", { trail: "one" });
    const change = await committed(store, "b", { trail: "two", parent: first, foreignId: "f", createdAt: 3 });
    const history = await store.history("two");
    const [{ sequence, bytes, ...rest }] = history as [StoredCheckpoint];
    const { id } = change.checkpoint;
    assert.deepEqual(rest, { id, trail: "two", parent: first, createdAt: 3, foreignId: "f" });
    assert.equal(text(bytes), text(change.checkpoint.bytes));
    assert.ok(Number.isSafeInteger(sequence));
    assert.deepEqual(plain(await store.find({ trail: "two" })), plain(history));
  });

  test("orders a checkpoint that was removed and committed again by its last commit", async (store) => {
    const first = await commitNext(store, "a");
    const change = await committed(store, "again", { from: "stay" });
    await store.remove({ checkpoints: [change.checkpoint.id] });
    const second = await commitNext(store, "b");
    await store.commit(change);
    assert.deepEqual(idsOf(await store.history("main")), [change.checkpoint.id, second, first]);
    assert.deepEqual(idsOf(await store.find({})), [first, second, change.checkpoint.id]);
  });
}

export function testPaging({ test }: Suite): void {
  test("gives history in pages that together are the whole, though commits go on meanwhile", async (store) => {
    const ids = await commitLine(store, "main", ["a", "b", "c", "d", "e"]);
    const pages: ObjectId[][] = [];
    for (let before: ObjectId | undefined; ;) {
      const page = idsOf(await store.history("main", { limit: 2, before }));
      if (page.length === 0) break;
      pages.push(page);
      before = page.at(-1) as ObjectId;
      await commitNext(store, ["meanwhile", pages.length]);
      await commitNext(store, ["meanwhile", pages.length], { trail: "other" });
    }
    const [a, b, c, d, e] = ids;
    assert.deepEqual(pages, [[e, d], [c, b], [a]]);
  });

  test("limits history to what was asked for", async (store) => {
    const ids = await commitLine(store, "main", ["a", "b", "c"]);
    assert.deepEqual(idsOf(await store.history("main", { limit: 1 })), [ids[2]]);
    assert.deepEqual(await store.history("main", { limit: 0 }), []);
    assert.equal((await store.history("main", { limit: 100 })).length, 3);
    assert.deepEqual(idsOf(await store.history("main", { before: ids[1] })), [ids[0]]);
  });

  test("passes over as many of the newest as it is told to", async (store) => {
    const ids = await commitLine(store, "main", ["a", "b", "c", "d"]);
    await commitNext(store, "elsewhere", { trail: "other" });
    assert.deepEqual(idsOf(await store.history("main", { skip: 1, limit: 2 })), [ids[2], ids[1]]);
    assert.deepEqual(idsOf(await store.history("main", { skip: 3 })), [ids[0]]);
    assert.deepEqual(await store.history("main", { skip: 4 }), []);
    assert.deepEqual(idsOf(await store.history("main", { before: ids[3], skip: 1, limit: 1 })), [ids[1]]);
  });

  test("counts the checkpoints of a trail, all of them or those after a sequence", async (store) => {
    const [first, second] = await commitLine(store, "main", ["a", "b", "c"]);
    await commitNext(store, "elsewhere", { trail: "other" });
    assert.equal(await store.count("main"), 3);
    assert.equal(await store.count("nobody"), 0);
    const [, middle] = await store.history("main");
    assert.equal(middle?.id, second);
    assert.equal(await store.count("main", { afterSequence: middle?.sequence ?? 0 }), 1);
    await store.remove({ checkpoints: [first] });
    assert.equal(await store.count("main"), 2);
  });

  test("never takes a page before an unknown or pruned checkpoint for the end of history", async (store) => {
    const [, , c] = await commitLine(store, "main", ["a", "b", "c", "d"]);
    await assertNotFound(store.history("main", { before: unknownId() }));
    await store.remove({ checkpoints: [c] });
    const page = store.history("main", { before: c });
    await assertNotFound(page);
    await assert.rejects(page, /pruned/);
  });

  test("goes on paging before a checkpoint that stands only in another trail by now", async (store) => {
    const [a, b] = await commitLine(store, "main", ["a", "b"]);
    const change = await committed(store, "c", { from: b });
    await commitNext(store, "d");
    await store.commit({ ...change, trail: "copy", parent: undefined, head: { from: undefined } });
    const { removed } = await store.remove({ checkpoints: [change.checkpoint.id] });
    assert.deepEqual(removed, [change.checkpoint.id]);
    assert.ok(idsOf(await store.history("main", { before: change.checkpoint.id })).includes(a));
  });
}

export function testSequence({ test, testReopened }: Suite): void {
  test("numbers commits upwards over all trails, and never gives a number twice", async (store) => {
    await commitNext(store, "a");
    await commitNext(store, "b", { trail: "other" });
    const last = await commitNext(store, "c", { trail: "aside", from: "stay" });
    const before = (await store.find({})).map(({ sequence }) => sequence);
    await store.remove({ checkpoints: [last] });
    await store.sweep();
    await commitNext(store, "d");
    const after = (await store.find({})).map(({ sequence }) => sequence);
    const all = [...before, after.at(-1) as number];
    assert.deepEqual(
      all,
      [...new Set(all)].toSorted((left, right) => left - right),
    );
  });

  testReopened(
    "goes on numbering after what it once gave, when the newest was removed",
    async (store, reopen) => {
      await commitNext(store, "a");
      const removed = await commitNext(store, "b", { from: "stay" });
      const highest = (await store.find({})).at(-1)?.sequence as number;
      await store.remove({ checkpoints: [removed] });
      await store.sweep();
      const again = await reopen();
      await commitNext(again, "c");
      assert.ok(((await again.find({})).at(-1)?.sequence as number) > highest);
    },
  );
}
