import assert from "node:assert/strict";
import { createHash } from "node:crypto";

import { commitNext } from "./expectations.ts";
import { changeOf } from "./samples.ts";
import type { Suite } from "./suite.ts";

export function testLog({ test }: Suite): void {
  test("appends log entries with the commit that brings them, in a chain of hashes", async (store) => {
    const entries = [{ what: "started" }, { what: "it's 日本", nested: [1, null] }, { what: "done" }];
    const first = changeOf("a");
    await store.commit({ ...first, log: entries.slice(0, 2) });
    await store.commit({ ...changeOf("b", { from: first.checkpoint.id }), log: entries.slice(2) });
    const log = await store.readLog();
    assert.deepEqual(
      log.map(({ number, entry }) => [number, entry]),
      entries.map((entry, index) => [index + 1, entry]),
    );
    let before = (await store.identity()).id;
    for (const { entry, hash } of log) {
      before = createHash("sha256")
        .update(`${before}\n${JSON.stringify(entry)}`)
        .digest("hex");
      assert.equal(hash, before);
    }
    assert.deepEqual(await store.readLog({ after: 1, limit: 1 }), log.slice(1, 2));
  });

  test("appends nothing when the commit is refused, and keeps what it has through removal and sweep", async (store) => {
    await store.commit({ ...changeOf("a"), log: [{ kept: true }] });
    await store.commit({ ...changeOf("late"), log: [{ kept: false }] }).catch(() => undefined);
    await commitNext(store, "other", { trail: "other" });
    await store.remove({ trails: ["main"] });
    await store.sweep();
    assert.deepEqual(
      (await store.readLog()).map(({ entry }) => entry),
      [{ kept: true }],
    );
    assert.deepEqual((await store.verify()).damage, []);
  });
}
