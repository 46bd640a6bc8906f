import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";

import { openCairn, type Cairn } from "../../src/work/state/cairn.ts";
import { pullTrail } from "../../src/capabilities/sync/pull.ts";
import { pushTrail } from "../../src/capabilities/sync/push.ts";
import { UNSEALED } from "../../src/capabilities/sync/sealing.ts";
import { openMemoryStore } from "../../src/core/store/sqlite.ts";
import { memoryRemote } from "./support/memory-remote.ts";

const newMachine = async (): Promise<Cairn> => openCairn({ store: await openMemoryStore() });
const options = { machine: "laptop", now: () => new Date(), random: () => randomUUID() };

/** Saves some steps that each replace an older value, so that a pruned checkpoint takes objects along. */
async function save(cairn: Cairn, steps: number): Promise<void> {
  for (let step = 0; step < steps; step++)
    await cairn.trail("main").commit((state) => {
      state.variables[`v${step % 3}`] = randomUUID().repeat(200);
    });
}

async function pruneAllButHead({ store }: Cairn): Promise<void> {
  const [head, ...older] = await store.history("main", { limit: 10_000 });
  expect(head).toBeDefined();
  await store.remove({ checkpoints: older.map(({ id }) => id) });
  await store.sweep();
}

describe("a store that was pruned", () => {
  it("still pulls what others have pushed and merged", async () => {
    const trails = { remote: memoryRemote(), sealing: UNSEALED };
    const [laptop, desk] = [await newMachine(), await newMachine()];
    for (let round = 0; round < 30; round++) {
      await save(laptop, 1);
      await pushTrail(laptop.store, trails, "main", options);
      if (round % 4 === 0) {
        await pullTrail(desk.store, trails, "main", { remoteName: "origin" });
        await pruneAllButHead(desk);
      }
    }
    const pulled = await pullTrail(desk.store, trails, "main", { remoteName: "origin" });
    // What was pruned here stays so.
    expect(pulled).toMatchObject({ outcome: "fast-forwarded", checkpoints: 1 });
    expect(await desk.trail("main").load()).toEqual(await laptop.trail("main").load());
    expect((await desk.store.verify()).damage).toEqual([]);
  });

  it("gets the whole other line of a trail that went on in both places", async () => {
    const trails = { remote: memoryRemote(), sealing: UNSEALED };
    const [laptop, desk] = [await newMachine(), await newMachine()];
    await save(laptop, 3);
    await pushTrail(laptop.store, trails, "main", options);
    await pullTrail(desk.store, trails, "main", { remoteName: "origin" });
    await save(desk, 5);
    await pruneAllButHead(desk);
    await save(laptop, 1);
    await pushTrail(laptop.store, trails, "main", options);
    const pulled = await pullTrail(desk.store, trails, "main", { remoteName: "origin" });
    expect(pulled).toMatchObject({ outcome: "diverged", checkpoints: 4 });
    expect((await desk.store.verify()).damage).toEqual([]);
  });

  it("pushes what others can go on from, although a checkpoint in between is gone", async () => {
    const trails = { remote: memoryRemote(), sealing: UNSEALED };
    const [laptop, desk] = [await newMachine(), await newMachine()];
    await save(laptop, 3);
    await pushTrail(laptop.store, trails, "main", options);
    await pullTrail(desk.store, trails, "main", { remoteName: "origin" });
    await save(laptop, 4);
    await pruneAllButHead(laptop);
    await save(laptop, 2);
    await pushTrail(laptop.store, trails, "main", options);
    const pulled = await pullTrail(desk.store, trails, "main", { remoteName: "origin" });
    expect(pulled).toMatchObject({ outcome: "fast-forwarded", checkpoints: 3 });
    expect(await desk.trail("main").load()).toEqual(await laptop.trail("main").load());
    expect(await desk.store.history("main", { limit: 100 })).toHaveLength(6);
    expect((await desk.store.verify()).damage).toEqual([]);
  });

  it("still keeps the number of packs small", async () => {
    const remote = memoryRemote();
    const trails = { remote, sealing: UNSEALED };
    const [laptop, fresh] = [await newMachine(), await newMachine()];
    for (let round = 0; round < 60; round++) {
      await save(laptop, 1);
      await pushTrail(laptop.store, trails, "main", options);
      if (round % 4 === 0) await pruneAllButHead(laptop);
    }
    let requests = 0;
    const counted = { ...remote, get: async (name: string) => ((requests += 1), remote.get(name)) };
    const pulled = await pullTrail(fresh.store, { ...trails, remote: counted }, "main", { remoteName: "o" });
    expect(pulled.checkpoints).toBe(60);
    expect(requests).toBeLessThan(20);
  });
});
