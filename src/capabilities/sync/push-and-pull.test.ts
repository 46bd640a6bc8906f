import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";

import { openCairn, type Cairn } from "../../work/state/cairn.ts";
import { openMemoryStore } from "../../core/store/sqlite.ts";
import type { Remote } from "./contract.ts";
import { openFileRemote } from "./places/file-remote.ts";
import { pullTrail } from "./pull.ts";
import { pushTrail } from "./push.ts";
import { readRemoteHead } from "./remote-trails.ts";
import { sealWith, UNSEALED } from "./sealing.ts";

const newMachine = async (): Promise<Cairn> => openCairn({ store: await openMemoryStore() });
const newFolder = () => mkdtempSync(join(tmpdir(), "cairn-remote-"));

describe.each([
  ["readable", UNSEALED],
  ["sealed", sealWith(new Uint8Array(32).fill(7))],
])("push and pull, %s", (_, sealing) => {
  const machine = (name: string) => ({ machine: name, now: () => new Date(), random: () => randomUUID() });

  it("brings a trail to another machine, byte for byte", async () => {
    const remote = openFileRemote(newFolder(), "test");
    const [laptop, desktop] = [await newMachine(), await newMachine()];
    for (let step = 0; step < 30; step++) {
      await laptop
        .trail("main")
        .commit((state) => void (state.variables[`v${step}`] = "x".repeat(300) + step));
      await pushTrail(laptop.store, { remote, sealing }, "main", machine("laptop"));
    }
    const pulled = await pullTrail(desktop.store, { remote, sealing }, "main", { remoteName: "origin" });
    expect(pulled).toMatchObject({ outcome: "new", checkpoints: 30 });
    expect(await desktop.trail("main").load()).toEqual(await laptop.trail("main").load());
    expect((await desktop.store.verify()).damage).toEqual([]);
    expect(await desktop.store.history("main", { limit: 100 })).toHaveLength(30);
  });

  it("pushes what is left of a trail whose first checkpoints were pruned, and not swept yet", async () => {
    const remote = openFileRemote(newFolder(), "test");
    const [laptop, desktop] = [await newMachine(), await newMachine()];
    const trail = laptop.trail("main");
    const [first, second] = [
      await trail.commit((state) => void (state.goal = "one ".repeat(1000))),
      await trail.commit((state) => void (state.next_action = "two")),
    ];
    await trail.commit((state) => void (state.next_action = "three"));
    await laptop.store.remove({ checkpoints: [first.content_hash, second.content_hash] });
    await pushTrail(laptop.store, { remote, sealing }, "main", machine("laptop"));
    const pulled = await pullTrail(desktop.store, { remote, sealing }, "main", { remoteName: "origin" });
    expect(pulled).toMatchObject({ outcome: "new", checkpoints: 1 });
    expect(await desktop.trail("main").load()).toEqual(await trail.load());
  });

  it("fast-forwards, and tells when both sides went on", async () => {
    const remote = openFileRemote(newFolder(), "test");
    const trails = { remote, sealing };
    const [laptop, desktop] = [await newMachine(), await newMachine()];
    await laptop.trail("main").commit((state) => void (state.goal = "one"));
    await pushTrail(laptop.store, trails, "main", machine("laptop"));
    await pullTrail(desktop.store, trails, "main", { remoteName: "origin" });
    await laptop.trail("main").commit((state) => void (state.next_action = "two"));
    await pushTrail(laptop.store, trails, "main", machine("laptop"));
    expect(await pullTrail(desktop.store, trails, "main", { remoteName: "origin" })).toMatchObject({
      outcome: "fast-forwarded",
      checkpoints: 1,
    });
    await desktop.trail("main").commit((state) => void (state.goal = "three"));
    await laptop.trail("main").commit((state) => void (state.goal = "four"));
    expect(await pushTrail(desktop.store, trails, "main", machine("desktop"))).toMatchObject({
      outcome: "pushed",
    });
    expect(await pushTrail(laptop.store, trails, "main", machine("laptop"))).toMatchObject({
      outcome: "elsewhere",
    });
    expect(await pullTrail(laptop.store, trails, "main", { remoteName: "origin" })).toMatchObject({
      outcome: "diverged",
    });
    expect((await laptop.trail("main").load()).state.goal).toBe("four");
  });

  it("moves no head that another machine has moved meanwhile", async () => {
    const trails = { remote: openFileRemote(newFolder(), "test"), sealing };
    const [laptop, desktop] = [await newMachine(), await newMachine()];
    await laptop.trail("main").commit((state) => void (state.goal = "one"));
    await pushTrail(laptop.store, trails, "main", machine("laptop"));
    await pullTrail(desktop.store, trails, "main", { remoteName: "origin" });
    const { content_hash: first } = await desktop.trail("main").commit((state) => void (state.goal = "two"));
    await laptop.trail("main").commit((state) => void (state.goal = "three"));
    let [reads, pushes] = [0, 0];
    const racing = {
      ...machine("laptop"),
      // The head was read, and is about to be built on.
      checkHead: async () => {
        if (reads++ > 0) return;
        await pushTrail(desktop.store, trails, "main", machine("desktop"));
        pushes++;
      },
    };
    expect(await pushTrail(laptop.store, trails, "main", racing)).toMatchObject({ outcome: "elsewhere" });
    expect({ reads, pushes }).toEqual({ reads: 2, pushes: 1 });
    expect((await readRemoteHead(trails, "main"))?.head.head).toBe(first);
  });

  it("sends a new checkpoint in four requests and little more than its own bytes", async () => {
    const counted = counting(openFileRemote(newFolder(), "test"));
    const laptop = await newMachine();
    for (let step = 0; step < 100; step++)
      await laptop
        .trail("main")
        .commit((state) => void (state.variables[`v${step}`] = randomUUID().repeat(30)));
    await pushTrail(laptop.store, { remote: counted.remote, sealing }, "main", machine("laptop"));
    await laptop.trail("main").commit((state) => void (state.variables["new"] = randomUUID().repeat(30)));
    counted.reset();
    await pushTrail(laptop.store, { remote: counted.remote, sealing }, "main", machine("laptop"));
    expect(counted.requests()).toBe(4);
    // What is new are 36 random characters, repeated: most of the rest is the head, which lists its packs.
    expect(counted.bytes()).toBeLessThan(1500);
  });
});

function counting(remote: Remote) {
  let [requests, bytes] = [0, 0];
  const count = (sent = 0) => ((requests += 1), (bytes += sent));
  return {
    remote: {
      label: remote.label,
      list: async (prefix) => (count(), remote.list(prefix)),
      get: async (name) => (count(), remote.get(name)),
      put: async (name, content) => (count(content.length), remote.put(name, content)),
      compareAndSwap: async (name, content, from) => (
        count(content.length),
        remote.compareAndSwap(name, content, from)
      ),
      remove: async (name) => (count(), remote.remove(name)),
    } satisfies Remote,
    reset: () => ([requests, bytes] = [0, 0]),
    requests: () => requests,
    bytes: () => bytes,
  };
}
