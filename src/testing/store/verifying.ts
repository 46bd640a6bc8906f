import assert from "node:assert/strict";

import { isCheckpointError } from "../../core/errors.ts";
import { objectIdOf, type ObjectId } from "../../core/objects/object-id.ts";
import type { Damage, Store } from "../../core/store/contract.ts";
import { isStaleReference } from "../../core/store/refusals.ts";
import { assertLoads, commitLine, commitNext } from "./expectations.ts";
import { changeOf, changeWith, idsOf, valueOf } from "./samples.ts";
import type { Suite } from "./suite.ts";

export function testVerifying({ test }: Suite): void {
  test("finds nothing wrong with a store that is empty or healthy", async (store) => {
    assert.deepEqual(await store.verify(), { objects: 0, checkpoints: 0, trails: 0, damage: [] });
    await commitLine(store, "main", ["a", "b"]);
    await commitNext(store, "fork", { trail: "fork" });
    // Each checkpoint is an object itself, and has a root and a leaf.
    assert.deepEqual(await store.verify(), { objects: 9, checkpoints: 3, trails: 2, damage: [] });
  });

  test("finds nothing wrong after removing and sweeping", async (store) => {
    const [a, b] = await commitLine(store, "main", ["a", "b", "c"]);
    await commitNext(store, "fork", { trail: "fork", parent: b });
    await store.remove({ checkpoints: [a] });
    assert.deepEqual((await store.verify()).damage, []);
    await store.sweep();
    assert.deepEqual(await store.verify(), { objects: 9, checkpoints: 3, trails: 2, damage: [] });
  });
}

/** Names and hashes are the caller's business, so a caller that lies is a way to damage any store. */
export function testDamage({ test }: Suite): void {
  test("names a damaged object and the checkpoints that it costs, and still loads the others", async (store) => {
    const sound = valueOf("sound");
    const damaged = { ...valueOf("damaged", [sound]), bytes: valueOf("flipped", [sound]).bytes };
    const above = valueOf("above", [damaged]);
    const first = changeOf("first", { objects: [sound, damaged] });
    const second = changeOf("second", { from: first.checkpoint.id, objects: [above] });
    const third = changeOf("third", { from: second.checkpoint.id, objects: [sound] });
    for (const change of [first, second, third]) await store.commit(change);
    await assertDamage(store, "damaged", damaged.id, idsOf([first.checkpoint, second.checkpoint]));
    await assertLoads(store, third.checkpoint.id);
    await assert.rejects(assertLoads(store, first.checkpoint.id));
  });

  test("names a damaged checkpoint by its own id, and never passes it off as another", async (store) => {
    const sound = await commitNext(store, "sound");
    const change = changeOf("damaged", { from: sound });
    const { id } = change.checkpoint;
    await store.commit({ ...change, checkpoint: { ...change.checkpoint, bytes: valueOf("flipped").bytes } });
    await assertDamage(store, "damaged", id, [id]);
    const listed = await store.history("main").then(idsOf, (error: unknown) => {
      assert.ok(isCheckpointError(error, "corrupt"), String(error));
      return [id, sound];
    });
    assert.deepEqual(listed, [id, sound]);
    assert.equal(await store.head("main"), id);
    await assertLoads(store, sound);
  });

  test("hands out damaged bytes as they are, for the caller to check", async (store) => {
    const damaged = { ...valueOf("damaged"), bytes: valueOf("flipped").bytes };
    await commitNext(store, "a", { objects: [damaged] });
    const bytes = (await store.readObjects([damaged.id])).get(damaged.id) as Uint8Array;
    assert.equal(objectIdOf(bytes), valueOf("flipped").id);
  });

  test("names a missing object and the checkpoints that it costs, unless it refused them", async (store) => {
    const missing = valueOf("missing");
    const root = { ...valueOf("root", [missing]), links: [] };
    const hidden = { ...changeWith("hides a link", root), objects: [root] };
    const isTaken = await store.commit(hidden).then(
      () => true,
      (error: unknown) => !isStaleReference(error),
    );
    if (!isTaken) return;
    await assertDamage(store, "missing", missing.id, [hidden.checkpoint.id]);
  });
}

/** That this is the only damage, and named. */
async function assertDamage(
  store: Store,
  kind: Damage["kind"],
  object: ObjectId,
  costs: readonly ObjectId[],
) {
  const { damage } = await store.verify();
  const { what, ...found } = damage[0] as Damage;
  assert.deepEqual({ ...found, costs: found.costs.toSorted() }, { kind, object, costs: costs.toSorted() });
  assert.ok(what.includes(object));
  assert.equal(damage.length, 1);
}
