import assert from "node:assert/strict";

import {
  assertConflict,
  assertLeavesNothing,
  assertLoads,
  assertRemoval,
  commitLine,
  commitNext,
} from "./expectations.ts";
import { changeOf, idsOf } from "./samples.ts";
import type { Suite } from "./suite.ts";

export function testTrailRemoval({ test }: Suite): void {
  test("removes whole trails with their heads", async (store) => {
    const line = await commitLine(store, "gone", ["a", "b"]);
    const aside = await commitNext(store, "aside", { trail: "gone", from: "stay" });
    const stays = await commitNext(store, "a", { trail: "gone/not" });
    await assertRemoval(store, { trails: ["gone"] }, { removed: [...line, aside] });
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
    await store.commit({ ...late, revives: true });
    await commitNext(store, "after", { trail: "gone" });
    assert.equal((await store.history("gone")).length, 2);
  });

  test("keeps the fork points of a trail that it removes, though the trail has no head any more", async (store) => {
    const [a, b, c] = await commitLine(store, "main", ["a", "b", "c"]);
    const fork = await commitNext(store, "fork", { trail: "fork", parent: c });
    await commitNext(store, "fork", { trail: "early fork", parent: a });
    await assertRemoval(
      store,
      { trails: ["main"] },
      { removed: [b], kept: { [a]: "fork point", [c]: "fork point" } },
    );
    assert.equal(await store.head("main"), undefined);
    assert.deepEqual(idsOf(await store.history("main")), [c, a]);
    assert.ok(!(await store.trails()).some(({ name }) => name === "main"));
    await store.sweep();
    for (const id of [a, c, fork]) await assertLoads(store, id);
    await assertRemoval(
      store,
      { trails: ["main", "fork"] },
      { removed: [c, fork], kept: { [a]: "fork point" } },
    );
  });

  test("keeps a fork point that only another kept fork point needs", async (store) => {
    const a = await commitNext(store, "a", { trail: "one" });
    const b = await commitNext(store, "b", { trail: "two", parent: a });
    const c = await commitNext(store, "c", { trail: "three", parent: b });
    await assertRemoval(
      store,
      { trails: ["one", "two"] },
      { kept: { [a]: "fork point", [b]: "fork point" } },
    );
    await assertRemoval(store, { trails: ["one", "two", "three"] }, { removed: [a, b, c] });
    assert.deepEqual(await store.find({}), []);
  });
}
