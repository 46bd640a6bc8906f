// Run in a folder outside of the repository, which has the examples and the installed package, and nothing else.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { openMemoryStore } from "cairn-checkpoint/store";
import { testStore } from "cairn-checkpoint/testing";
import { openMapStore } from "./memory-store.ts";
import { openSaver } from "./saver.mjs";

void describe("the store of the examples", () => {
  testStore(openMapStore, { describe, it });
});

for (const [name, open] of Object.entries({ openMapStore, openMemoryStore }))
  void describe(`the saver of the examples on ${name}`, () => {
    void it("gives back each state, and costs what changed", async () => {
      const store = await open();
      const saver = openSaver(store);
      const log = Array.from({ length: 2000 }, (_, at) => `line ${at}`);
      await saver.save("t", "one", { log });
      await saver.save("t", "two", { log: [...log, "more"] });
      const other = openSaver(store);
      await other.save("t", "three", { log: ["new"] });
      assert.deepEqual(await saver.load("t"), { log: ["new"] });
      assert.deepEqual(await saver.load("t", "two"), { log: [...log, "more"] });
      assert.deepEqual(await saver.list("t"), ["three", "two", "one"]);
      assert.equal(await saver.load("t", "none"), undefined);
      assert.equal(await saver.load("nobody"), undefined);
      assert.deepEqual((await store.verify()).damage, []);
      await store.close();
    });

    void it("keeps what two savers save at once, and refuses an id that is taken", async () => {
      const store = await open();
      const savers = [openSaver(store), openSaver(store)];
      await Promise.all(savers.map((saver, at) => saver.save("t", `id${at}`, { at })));
      assert.deepEqual((await savers[0].list("t")).toSorted(), ["id0", "id1"]);
      await assert.rejects(savers[0].save("t", "id1", { at: 2 }), { code: "conflict" });
      await store.close();
    });
  });
