import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import type { ObjectId } from "../objects/object-id.ts";
import type { Store } from "../store/contract.ts";
import { openSqliteStore } from "../store/sqlite.ts";
import { Cairn } from "../../work/state/cairn.ts";
import { prunePlan } from "./prune-plan.ts";
import { prune } from "./prune.ts";

const NOW = new Date("2026-01-23T12:00:00Z");

let folder: string;
let store: Store;
let cairn: Cairn;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "cairn-prune-"));
  store = await openSqliteStore({ path: join(folder, "store.sqlite") });
  let seconds = 0;
  cairn = new Cairn(store, () => new Date(NOW.getTime() - 3_600_000 + ++seconds * 1000));
});

afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

/** Commits this many checkpoints to a trail and returns their hashes, oldest first. */
async function line(name: string, count: number, trigger = "manual"): Promise<ObjectId[]> {
  const trail = cairn.trail<{ step: number }>(name, { initial: { step: 0 } });
  const ids: ObjectId[] = [];
  for (let step = 0; step < count; step++) {
    ids.push((await trail.commit((state) => void (state.step += 1), { trigger })).content_hash);
  }
  return ids;
}

const idsIn = async (trail: string) => (await store.history(trail)).map(({ id }) => id);
const reasonsFor = (report: { kept: readonly { id: string; reasons: readonly string[] }[] }, id: unknown) =>
  report.kept.find((item) => item.id === id)?.reasons;

describe("prune", () => {
  it("keeps exactly the newest N of a trail, and says why each stayed or went", async () => {
    const ids = await line("main", 8);
    await line("other", 3);
    const report = await prune(store, { trail: "main" }, { last: 3 }, { now: NOW });
    expect(await idsIn("main")).toEqual(ids.slice(5).toReversed());
    expect(await idsIn("other")).toHaveLength(3);
    expect(report.kept.map(({ id, trail }) => [id, trail])).toEqual(
      ids
        .slice(5)
        .toReversed()
        .map((id) => [id, "main"]),
    );
    expect(report.kept[0]?.checkpoint_id).toMatch(/^ckpt-20260123-/);
    expect(reasonsFor(report, ids[7])).toEqual(["the newest", "head", "one of the newest 3"]);
    expect(report.removed.map(({ id }) => id)).toEqual(ids.slice(0, 5).toReversed());
    expect(new Set(report.removed.map(({ reason }) => reason))).toEqual(new Set(["not one of the newest 3"]));
    expect((await store.verify()).damage).toEqual([]);
  });

  it("changes nothing in a dry run, and plans what a real one does", async () => {
    const ids = await line("main", 5);
    const dry = await prune(store, { trail: "main" }, { last: 2 }, { now: NOW, dryRun: true });
    expect(dry.dryRun).toBe(true);
    expect(await idsIn("main")).toHaveLength(5);
    const real = await prune(store, { trail: "main" }, { last: 2 }, { now: NOW });
    expect(real.removed).toEqual(dry.removed);
    expect(real.kept).toEqual(dry.kept);
    expect(await idsIn("main")).toEqual(ids.slice(3).toReversed());
  });

  it("keeps fork points and pinned checkpoints with their reasons", async () => {
    const [first, second, third] = (await line("main", 6)) as [ObjectId, ObjectId, ObjectId];
    await cairn.trail("main").fork("experiment", { id: second });
    await store.attach(third, new Map([["pin/approval", new Uint8Array()]]));
    const report = await prune(store, { trail: "main" }, { last: 1 }, { now: NOW });
    expect(reasonsFor(report, second)).toEqual(["fork point"]);
    expect(reasonsFor(report, third)).toEqual(["pinned"]);
    expect(report.removed.map(({ id }) => id)).toContain(first);
    expect(await idsIn("main")).toHaveLength(3);
  });

  it("prunes each trail by itself, and keeps what a fork began from though the fork's first ones go too", async () => {
    const main = await line("main", 4);
    const fork = await cairn.trail<{ step: number }>("main").fork("fork", { id: main[0] as string });
    for (let step = 0; step < 3; step++) await fork.commit((state) => void (state.step += 1));
    for (const last of [2, 1]) {
      const dry = await prune(store, { all: true }, { last }, { now: NOW, dryRun: true });
      const report = await prune(store, { all: true }, { last }, { now: NOW });
      expect(dry.removed).toEqual(report.removed);
      expect(reasonsFor(dry, main[0])).toEqual(["fork point"]);
      expect(reasonsFor(report, main[0])).toEqual(["fork point"]);
      expect(await idsIn("main")).toEqual([...main.slice(4 - last).toReversed(), main[0]]);
      expect(await idsIn("fork")).toHaveLength(last);
    }
    expect((await store.verify()).damage).toEqual([]);
  });

  it("keeps what a fork began from when only the trail is pruned that was forked", async () => {
    const [first] = (await line("main", 2)) as [ObjectId];
    const fork = await cairn.trail<{ step: number }>("main").fork("fork", { id: first });
    await fork.commit((state) => void (state.step += 1));
    await prune(store, { trail: "fork" }, { last: 1 }, { now: NOW });
    const report = await prune(store, { trail: "main" }, { last: 1 }, { now: NOW, dryRun: true });
    expect(reasonsFor(report, first)).toEqual(["fork point"]);
    expect(report.removed).toEqual([]);
  });

  it("finds the same in a dry run as in a real one, pins included", async () => {
    const ids = await line("main", 4);
    await store.attach(ids[1] as ObjectId, new Map([["pin/x", new Uint8Array()]]));
    const dry = await prune(store, { trail: "main" }, { last: 1 }, { now: NOW, dryRun: true });
    const real = await prune(store, { trail: "main" }, { last: 1 }, { now: NOW });
    expect(real.removed).toEqual(dry.removed);
    expect(real.kept).toEqual(dry.kept);
    expect(reasonsFor(dry, ids[1])).toEqual(["pinned"]);
  });

  it("keeps in every trail what one of them keeps: a checkpoint that stands in two is one checkpoint", async () => {
    const [first, second] = (await line("main", 2)) as [ObjectId, ObjectId];
    const [, stored] = (await store.history("main")).map(({ id, bytes }) => ({ id, bytes, links: [] }));
    await store.commit({
      objects: [],
      checkpoint: stored as never,
      trail: "copy",
      parent: undefined,
      createdAt: 0,
      head: { from: undefined },
    });
    const plan = await prunePlan(store, { trail: "main" }, { last: 1 }, NOW);
    expect(reasonsFor(plan, first)).toEqual(['also in trail "copy"']);
    expect(reasonsFor(plan, second)).toContain("head");
  });

  it("reports as kept what somebody forked from while it was at work", async () => {
    const ids = await line("main", 5);
    const racing: Store = Object.assign(Object.create(store) as Store, {
      ...bound(store),
      remove: async (removal: Parameters<Store["remove"]>[0]) => {
        if (!removal.dryRun) await cairn.trail("main").fork("late", { id: ids[1] as string });
        return store.remove(removal);
      },
    });
    const report = await prune(racing, { trail: "main" }, { last: 1 }, { now: NOW });
    expect(reasonsFor(report, ids[1])).toEqual(["fork point"]);
    expect(report.removed.map(({ id }) => id)).toEqual([ids[3], ids[2], ids[0]]);
    expect(await idsIn("main")).toEqual([ids[4], ids[1]]);
  });

  it("thins automatic checkpoints by their own rules", async () => {
    const saved = await line("main", 3);
    await line("main", 40, "hook:post-tool-use");
    await prune(store, { trail: "main" }, { last: 3, automatic: { last: 5 } }, { now: NOW });
    const left = await idsIn("main");
    expect(left).toHaveLength(8);
    expect(left.slice(5)).toEqual(saved.toReversed());
  });

  it("keeps what is damaged, and says so", async () => {
    const ids = await line("main", 4);
    await store.close();
    const db = new DatabaseSync(join(folder, "store.sqlite"));
    const key = Buffer.from((ids[1] as string).slice(0, 32), "hex");
    db.prepare(
      "UPDATE objects SET data = x'00', base = NULL WHERE id = (SELECT object FROM ids WHERE hash = ?)",
    ).run(key);
    db.close();
    store = await openSqliteStore({ path: join(folder, "store.sqlite") });
    const { kept, removed } = await prunePlan(store, { trail: "main" }, { last: 1 }, NOW);
    expect(reasonsFor({ kept }, ids[1])).toEqual(["damaged"]);
    expect(kept.find(({ id }) => id === ids[1])?.checkpoint_id).toBeNull();
    // The third may be stored as a change of the damaged one, and then cannot be read either.
    const gone = removed.map(({ id }) => id);
    expect(gone).toContain(ids[0]);
    expect(gone).not.toContain(ids[1]);
  });

  it("gives the disk back", async () => {
    const trail = cairn.trail<{ text: string }>("main", { initial: { text: "" } });
    for (let step = 0; step < 30; step++) {
      const text = Array.from({ length: 4000 }, (_, index) => ((index + 1) * (step + 7)) % 9973).join(" ");
      await trail.commit({ text });
    }
    const sizeOnDisk = () =>
      readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
    const before = sizeOnDisk();
    const progress: number[] = [];
    const { bytesFreed } = await prune(
      store,
      { trail: "main" },
      { last: 1 },
      { now: NOW, onProgress: (done) => progress.push(done) },
    );
    expect(bytesFreed).toBeGreaterThan(100_000);
    expect(before - sizeOnDisk()).toBeGreaterThan(100_000);
    expect(progress.length).toBeGreaterThan(0);
  });

  it("does nothing to a trail that does not exist", async () => {
    await line("main", 2);
    const report = await prune(store, { trail: "nowhere" }, { last: 1 }, { now: NOW });
    expect(report).toMatchObject({ kept: [], removed: [] });
  });

  it("reads histories longer than one page", async () => {
    const ids = await line("main", 1203);
    const { kept, removed } = await prunePlan(store, { trail: "main" }, { last: 1100 }, NOW);
    expect([kept.length, removed.length]).toEqual([1100, 103]);
    expect(removed.at(-1)?.id).toBe(ids[0]);
  });
});

/** A store whose methods can be called through another object. */
function bound(real: Store): Partial<Store> {
  const names = ["history", "trails", "find", "sweep", "head"] as const;
  return Object.fromEntries(names.map((name) => [name, real[name].bind(real)]));
}
