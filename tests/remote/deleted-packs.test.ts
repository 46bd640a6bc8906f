import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";

import { openCairn, type Cairn } from "../../src/work/state/cairn.ts";
import type { Remote } from "../../src/capabilities/sync/contract.ts";
import { deleteUnused, readEpoch } from "../../src/capabilities/sync/packs/delete-packs.ts";
import type { RemoteHead } from "../../src/capabilities/sync/documents.ts";
import { pullTrail } from "../../src/capabilities/sync/pull.ts";
import { pushTrail } from "../../src/capabilities/sync/push.ts";
import { packsOf, readRemoteHead } from "../../src/capabilities/sync/remote-trails.ts";
import { sealWith } from "../../src/capabilities/sync/sealing.ts";
import { openMemoryStore } from "../../src/core/store/sqlite.ts";
import { memoryRemote } from "./support/memory-remote.ts";

const sealing = sealWith(new Uint8Array(32).fill(7));
const START = Date.parse("2026-03-01T00:00:00Z");
const day = (number: number) => new Date(START + number * 24 * 60 * 60 * 1000);

describe("packs that nobody refers to", () => {
  let [remote, laptop]: [Remote, Cairn] = [undefined as never, undefined as never];
  beforeEach(async () => {
    remote = memoryRemote();
    laptop = await openCairn({ store: await openMemoryStore() });
  });

  const packs = () => remote.list("packs/");
  const save = () =>
    laptop.trail("main").commit((state) => void (state.variables[randomUUID()] = randomUUID()));
  const push = (on: Date, through: Remote = remote) =>
    pushTrail(laptop.store, { remote: through, sealing }, "main", {
      machine: "laptop",
      now: () => on,
      random: () => randomUUID(),
    });

  /** Five pushes, of which the last merges all. */
  async function saveAndMerge(): Promise<void> {
    for (let step = 0; step < 5; step++) {
      await save();
      expect(await push(day(0))).toMatchObject({ outcome: "pushed", isMerged: step === 4 });
    }
  }

  /** A clone has everything, and each byte of it is right. */
  async function expectWhole(): Promise<void> {
    const store = await openMemoryStore();
    await pullTrail(store, { remote, sealing }, "main", { remoteName: "origin" });
    expect(await store.head("main")).toBe(await laptop.store.head("main"));
    expect((await store.verify()).damage).toEqual([]);
  }

  it("stay for 14 days, then go; what is used stays", async () => {
    await saveAndMerge();
    expect(await packs()).toHaveLength(6);
    const trails = { remote, sealing };
    expect(await deleteUnused(trails, day(1))).toBe(0);
    expect(await deleteUnused(trails, day(14))).toBe(0);
    expect(await packs()).toHaveLength(6);
    expect(await deleteUnused(trails, day(15))).toBe(5);
    expect(await packs()).toHaveLength(1);
    await expectWhole();
    await save();
    expect(await push(day(15))).toMatchObject({ outcome: "pushed" });
    await expectWhole();
    expect(await deleteUnused(trails, day(40))).toBe(0);
    await expectWhole();
  });

  it("are looked for once a day, by one machine at a time", async () => {
    await saveAndMerge();
    const trails = { remote, sealing };
    await Promise.all([deleteUnused(trails, day(1)), deleteUnused(trails, day(1))]);
    expect(await readEpoch(trails)).toMatchObject({ number: 1, at: day(1).getTime() });
    await deleteUnused(trails, day(1.5));
    expect((await readEpoch(trails)).number).toBe(1);
  });

  it("are not referred to again by a push that was interrupted before they were doomed", async () => {
    await save();
    await push(day(0));
    await save();
    // It sends its pack, and the machine is switched off.
    const dying = { ...remote, compareAndSwap: () => Promise.reject(new Error("off")) };
    await expect(push(day(0), dying)).rejects.toThrow("off");
    const trails = { remote, sealing };
    await deleteUnused(trails, day(1));
    const [doomed = ""] = Object.keys((await readEpoch(trails)).doomed);
    expect(await packs()).toContain(doomed);
    // On again on the last day: the pack is still there, and must not be used.
    expect(await push(day(14.9))).toMatchObject({ outcome: "pushed", checkpoints: 1 });
    expect(await deleteUnused(trails, day(15.1))).toBe(1);
    expect(await packs()).not.toContain(doomed);
    await expectWhole();
  });

  it("of another trail are not inherited once they are doomed", async () => {
    await saveAndMerge();
    await laptop.trail("main").fork("trial");
    const trails = { remote, sealing };
    let hasMerged = false;
    /** While the fork is pushed, main's packs are merged with newer ones, and doomed. */
    const put = async (name: string, bytes: Uint8Array) => {
      if (!hasMerged) {
        hasMerged = true;
        for (let step = 0; step < 5; step++) {
          await save();
          await push(day(0));
        }
        await deleteUnused(trails, day(1));
      }
      return remote.put(name, bytes);
    };
    const pushed = await pushTrail(laptop.store, { remote: { ...remote, put }, sealing }, "trial", {
      machine: "laptop",
      now: () => day(1),
      random: () => randomUUID(),
    });
    const { doomed } = await readEpoch(trails);
    expect(Object.keys(doomed).length).toBeGreaterThan(5);
    const head = await readRemoteHead(trails, "trial");
    const used = await packsOf(trails, head?.head as RemoteHead);
    expect(used.filter(({ name }) => name in doomed)).toEqual([]);
    expect(pushed.outcome).toBe("pushed");
    await deleteUnused(trails, day(16));
    const store = await openMemoryStore();
    await pullTrail(store, trails, "trial", { remoteName: "origin" });
    expect((await store.verify()).damage).toEqual([]);
    await expectWhole();
  });

  it("are noticed if they are missing from a trail's own head, with the remedy", async () => {
    await save();
    await push(day(0));
    await deleteUnused({ remote, sealing }, day(1));
    for (const name of await packs()) await remote.remove(name);
    await save();
    await expect(push(day(2))).rejects.toMatchObject({
      code: "corrupt",
      hint: expect.stringContaining("--full") as string,
    });
  });

  it("make a push start again that is older than a day", async () => {
    await save();
    let [calls, requests] = [0, 0];
    const counted = {
      ...remote,
      put: (name: string, bytes: Uint8Array) => ((requests += 1), remote.put(name, bytes)),
    };
    const pushed = await pushTrail(laptop.store, { remote: counted, sealing }, "main", {
      machine: "laptop",
      // A laptop that slept in the first try.
      now: () => day((calls += 1) === 1 ? 0 : 3),
      random: () => randomUUID(),
    });
    expect([pushed.outcome, requests]).toEqual(["pushed", 2]);
  });
});
