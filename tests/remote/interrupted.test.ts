import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";

import { openCairn, type Cairn } from "../../src/work/state/cairn.ts";
import type { Remote } from "../../src/capabilities/sync/contract.ts";
import { pullTrail } from "../../src/capabilities/sync/pull.ts";
import { pushTrail } from "../../src/capabilities/sync/push.ts";
import { UNSEALED } from "../../src/capabilities/sync/sealing.ts";
import { openMemoryStore } from "../../src/core/store/sqlite.ts";
import { memoryRemote } from "./support/memory-remote.ts";

const options = { machine: "laptop", now: () => new Date(), random: () => randomUUID() };

/** A remote whose user dies at the request with this number: before it arrives, or after it was carried out. */
function dyingAt(remote: Remote, deadline: number, when: "before" | "after") {
  let requests = 0;
  const through = async <Result>(request: () => Promise<Result>): Promise<Result> => {
    requests += 1;
    if (requests > deadline || (requests === deadline && when === "before")) throw new Error("killed");
    const result = await request();
    if (requests === deadline) throw new Error("killed");
    return result;
  };
  const dying: Remote = {
    label: remote.label,
    list: (prefix) => through(() => remote.list(prefix)),
    get: (name) => through(() => remote.get(name)),
    put: (name, bytes) => through(() => remote.put(name, bytes)),
    compareAndSwap: (name, bytes, from) => through(() => remote.compareAndSwap(name, bytes, from)),
    remove: (name) => through(() => remote.remove(name)),
  };
  return { dying, requests: () => requests };
}

async function save(cairn: Cairn): Promise<void> {
  await cairn.trail("main").commit((state) => void (state.variables[randomUUID()] = randomUUID()));
}

describe.each(["before", "after"] as const)("killed %s a request", (when) => {
  it("a push leaves the old head or the new one, and the next does the rest", async () => {
    // The fifth push merges, so it has the most requests.
    const laptop = await openCairn({ store: await openMemoryStore() });
    const objects = new Map<string, Uint8Array>();
    const trails = { remote: memoryRemote(objects), sealing: UNSEALED };
    for (let step = 0; step < 4; step++) {
      await save(laptop);
      await pushTrail(laptop.store, trails, "main", options);
    }
    const before = await laptop.store.head("main");
    await save(laptop);
    const after = await laptop.store.head("main");
    let deaths = 0;
    for (let deadline = 1; ; deadline++) {
      const remote = memoryRemote(new Map(objects));
      const { dying, requests } = dyingAt(remote, deadline, when);
      const push = pushTrail(laptop.store, { remote: dying, sealing: UNSEALED }, "main", options);
      const isKilled = await push.then(
        () => false,
        () => true,
      );
      const seen = await cloned(remote);
      expect([before, after]).toContain(seen);
      await pushTrail(laptop.store, { remote, sealing: UNSEALED }, "main", options);
      expect(await cloned(remote)).toBe(after);
      if (!isKilled && requests() < deadline) break;
      deaths += 1;
    }
    expect(deaths).toBeGreaterThan(10);
  });

  it("a pull shows the old trail or the whole new one, and goes on where it stopped", async () => {
    const laptop = await openCairn({ store: await openMemoryStore() });
    const remote = memoryRemote();
    for (let step = 0; step < 20; step++) {
      await save(laptop);
      await pushTrail(laptop.store, { remote, sealing: UNSEALED }, "main", options);
    }
    const head = await laptop.store.head("main");
    let deaths = 0;
    for (let deadline = 1; ; deadline++) {
      const store = await openMemoryStore();
      const { dying, requests } = dyingAt(remote, deadline, when);
      const first = pullTrail(store, { remote: dying, sealing: UNSEALED }, "main", { remoteName: "origin" });
      await first.catch(() => undefined);
      if (requests() < deadline) break;
      deaths += 1;
      expect(await store.head("main")).toBeUndefined();
      const gathered = await store.count(".pull/origin/main");
      const rest = await pullTrail(store, { remote, sealing: UNSEALED }, "main", { remoteName: "origin" });
      expect(rest.checkpoints).toBe(20 - gathered);
      expect(await store.head("main")).toBe(head);
      expect((await store.verify()).damage).toEqual([]);
    }
    expect(deaths).toBeGreaterThan(2);
  });
});

async function cloned(remote: Remote) {
  const store = await openMemoryStore();
  await pullTrail(store, { remote, sealing: UNSEALED }, "main", { remoteName: "origin" });
  expect((await store.verify()).damage).toEqual([]);
  return store.head("main");
}
