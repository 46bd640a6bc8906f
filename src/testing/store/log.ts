import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";

import type { BuildCommit, Commit, LogEntry, Store } from "../../core/store/contract.ts";
import { awaitedLater, commitNext } from "./expectations.ts";
import { changeOf } from "./samples.ts";
import type { Suite } from "./suite.ts";

export function testLog({ test, testShared }: Suite): void {
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
    for (const { entry, text, hash } of log) {
      assert.equal(text, JSON.stringify(entry));
      before = createHash("sha256").update(`${before}\n${text}`).digest("hex");
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

  test("puts entries that only follow another into the chain of their trail, if trails have one", async (store) => {
    await store.commit({ ...changeOf("a"), log: [{ own: 1 }] });
    for (const trail of ["b", "it's 日本"])
      for (const step of [1, 2]) await store.commit(await following(store, 1, { trail, step }));
    await store.commit({ ...changeOf("c", { trail: "c" }), log: [{ own: 2 }] });
    const log = await store.readLog();
    const { id } = await store.identity();
    const start = (trail: string | undefined) => (trail === undefined ? id : `${id} ${trail}`);
    const before = new Map<string | undefined, string>();
    for (const { trail, after, entry, hash } of log) {
      const said = trail === undefined ? "" : `${after}\n`;
      const text = `${before.get(trail) ?? start(trail)}\n${said}${JSON.stringify(entry)}`;
      assert.equal(hash, createHash("sha256").update(text).digest("hex"));
      before.set(trail, hash);
    }
    const places = log.map(({ trail, after, number }) => [trail, after, number]);
    if (store.hasTrailChains)
      assert.deepEqual(places, [
        [undefined, undefined, 1],
        ...["b", "it's 日本"].flatMap((trail) => [1, 2].map((number) => [trail, 1, number])),
        [undefined, undefined, 2],
      ]);
    else
      assert.deepEqual(
        places,
        [1, 2, 3, 4, 5, 6].map((number) => [undefined, undefined, number]),
      );
    const paged: LogEntry[] = [];
    for (let page = await store.readLog({ limit: 2 }); page.length > 0;) {
      paged.push(...page);
      page = await store.readLog({ after: paged.at(-1) as LogEntry, limit: 2 });
    }
    assert.deepEqual(paged, log);
    assert.deepEqual(await store.readLog({ after: log.at(-2)?.after ?? 5 }), log.slice(-1));
    if (store.hasTrailChains)
      assert.deepEqual(await store.readLog({ seen: [{ trail: "b", number: 1 }] }), log.toSpliced(1, 1));
    assert.deepEqual((await store.verify()).damage, []);
  });

  test("builds a change again that follows an entry which is not the last any more", async (store) => {
    await store.commit({ ...changeOf("a"), log: [{ own: 1 }, { own: 2 }] });
    await store.commit(await following(store, 1, { trail: "b", step: 1 }));
    const [, , last] = await store.readLog();
    assert.equal(last?.after, store.hasTrailChains ? 2 : undefined);
  });

  testShared(
    "lets others append what a change that is being built allows, and nothing else",
    async (store, second) => {
      await store.commit({ ...changeOf("a"), log: [{ own: 1 }] });
      const lengthsWhile = async (log: "share" | "hold", last: number) => {
        const lengths: number[] = [];
        const others: Promise<void>[] = [];
        const beside = await following(second, last, { trail: `beside ${log}`, step: 1 });
        const build = async () => {
          const append = async (change: Commit | BuildCommit) => {
            others.push(awaitedLater(second.commit(change)));
            await wait(200);
            lengths.push((await store.readLog()).length);
          };
          await append(beside);
          await append({ ...changeOf("own", { trail: `own ${log}` }), log: [{ own: log }] });
          return undefined;
        };
        await store.commit({ trail: "building", log, build });
        await Promise.all(others);
        return lengths;
      };
      assert.deepEqual(await lengthsWhile("share", 1), store.hasTrailChains ? [2, 2] : [1, 1]);
      assert.deepEqual(await lengthsWhile("hold", 2), [3, 3]);
      assert.equal((await store.readLog()).length, 5);
    },
  );
}

/** A change whose entry follows one of the store's own chain. Built again, it follows the last. */
async function following(
  store: Store,
  logAfter: number,
  { trail, step }: { readonly trail: string; readonly step: number },
): Promise<BuildCommit> {
  // What is prepared for a trail that is not there yet is always built again.
  const from = (await store.head(trail)) ?? (await commitNext(store, "first", { trail }));
  const prepared = { ...changeOf(step, { trail, from }), log: [{ step }], logAfter };
  const build = async () => {
    const own = (await store.readLog()).filter((entry) => entry.trail === undefined);
    return { ...prepared, logAfter: own.length };
  };
  return { trail, prepared, log: "share", build };
}
