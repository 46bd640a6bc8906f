import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";

import { openMemoryStore } from "../store/sqlite.ts";
import { openCairn, type Cairn } from "../../work/state/cairn.ts";
import { createRedactor } from "../redaction/redactor.ts";

const folder = mkdtempSync(join(tmpdir(), "cairn-trail-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let count = 0;
let seconds = 0;
/** Every commit a second later than the one before. */
const now = () => new Date(Date.UTC(2026, 0, 23, 12, 0, seconds++));
const open = (path = join(folder, `${count++}`)) => openCairn({ path, now });

interface Counter {
  n: number;
  list: number[];
}

const counter = (cairn: Cairn, name = "main") => cairn.trail<Counter>(name, { initial: { n: 0, list: [] } });

describe("a trail", () => {
  it("saves and loads the state of agent work without being told its shape", async () => {
    const cairn = await open();
    const trail = cairn.trail("main");
    const saved = await trail.commit(
      (state) => {
        state.variables.region = "eu";
      },
      { notes: "before deploy" },
    );
    const latest = await trail.load();
    expect(latest.checkpoint_id).toBe(saved.checkpoint_id);
    expect(latest.state.variables.region).toBe("eu");
    expect(latest).toMatchObject({
      trail: "main",
      notes: "before deploy",
      trigger: "manual",
      parent_hash: null,
    });
    await cairn.close();
  });

  it("names checkpoints by date and hash, and finds them by the beginning of either", async () => {
    const cairn = await open();
    const trail = counter(cairn);
    const saved = await trail.commit({ n: 1, list: [] });
    await trail.commit({ n: 2, list: [] });
    expect(saved.checkpoint_id).toMatch(/^ckpt-20260123-\d{6}-[0-9a-f]{8}$/);
    const names = [
      saved.checkpoint_id,
      saved.checkpoint_id.slice(0, -2),
      saved.content_hash,
      saved.content_hash.slice(0, 9),
    ];
    for (const name of names) expect((await trail.load(name)).state.n).toBe(1);
    await expect(trail.load("ckpt-20260123")).rejects.toMatchObject({ code: "usage" });
    await expect(trail.load("ckpt-1999")).rejects.toMatchObject({ code: "not-found" });
    await expect(trail.load("../etc")).rejects.toMatchObject({ code: "usage" });
    await cairn.close();
  });

  it("applies updaters again when another handle was quicker, so that no change is lost", async () => {
    const path = join(folder, `${count++}`);
    const handles = await Promise.all(Array.from({ length: 4 }, () => open(path)));
    const add = (cairn: Cairn) =>
      Array.from({ length: 15 }, () =>
        counter(cairn).commit((state) => {
          state.n++;
        }),
      );
    await Promise.all(handles.flatMap(add));
    const [first] = handles as [Cairn];
    expect((await counter(first).load()).state.n).toBe(60);
    expect(await counter(first).history()).toHaveLength(60);
    await Promise.all(handles.map((cairn) => cairn.close()));
  });

  it("says that nothing changed instead of saving it again, if asked to", async () => {
    const cairn = await open();
    const trail = counter(cairn);
    const one = (state: Counter) => {
      state.n = 1;
    };
    const first = await trail.commit(one, { ifChanged: true });
    expect(first).not.toHaveProperty("unchanged");
    expect(await trail.commit(one, { ifChanged: true, notes: "again" })).toEqual({
      ...first,
      unchanged: true,
    });
    expect(await trail.commit({ n: 1, list: [] }, { ifChanged: true })).toMatchObject({ unchanged: true });
    expect(await trail.history()).toEqual([first]);
    const second = await trail.commit(one);
    expect(second).toMatchObject({ parent_checkpoint_id: first.checkpoint_id });
    expect(await trail.history()).toEqual([second, first]);
    await cairn.close();
  });

  it("saves once what many handles change to the same at once, if asked to", async () => {
    const path = join(folder, `${count++}`);
    const handles = await Promise.all(Array.from({ length: 4 }, () => open(path)));
    const results = await Promise.all(
      handles.map((cairn) => counter(cairn).commit(() => ({ n: 1, list: [] }), { ifChanged: true })),
    );
    expect(results.filter(({ unchanged }) => !unchanged)).toHaveLength(1);
    expect(new Set(results.map(({ content_hash }) => content_hash)).size).toBe(1);
    await Promise.all(handles.map((cairn) => cairn.close()));
  });

  it("never calls a whole state unchanged that another handle has replaced", async () => {
    const cairn = await open();
    const [mine, theirs] = [counter(cairn), counter(cairn)];
    await mine.commit({ n: 1, list: [] });
    await theirs.load();
    await theirs.commit({ n: 2, list: [] });
    const again = mine.commit({ n: 1, list: [] }, { ifChanged: true });
    await expect(again).rejects.toMatchObject({ code: "conflict" });
    await cairn.close();
  });

  it("asks for the head only while others move it", async () => {
    let asked = 0;
    const store = await openMemoryStore();
    const counting = { ...store, head: async (trail: string) => (asked++, store.head(trail)) };
    const [mine, theirs] = [
      counter(await openCairn({ store: counting })),
      counter(await openCairn({ store })),
    ];
    const add = (state: Counter) => void state.n++;
    for (let turn = 0; turn < 3; turn++) await mine.commit(add);
    expect(asked).toBe(1);
    await theirs.commit(add);
    for (let turn = 0; turn < 3; turn++) await mine.commit(add);
    expect(asked).toBe(2);
    expect((await mine.load()).state.n).toBe(7);
  });

  it("judges a change by the head that is there, not by the one that its handle last saw", async () => {
    const cairn = await open();
    const [mine, theirs] = [counter(cairn), counter(cairn)];
    await mine.commit({ n: 1, list: [] });
    const expectTwo = (state: Counter) => {
      if (state.n !== 2) throw new Error(`It is ${state.n}.`);
      state.n++;
    };
    await expect(mine.commit(expectTwo)).rejects.toThrow("It is 1.");
    await theirs.commit((state) => void state.n++);
    await mine.commit(expectTwo);
    await theirs.commit((state) => void (state.n = 9));
    const setToThree = (state: Counter) => void (state.n = 3);
    expect(await mine.commit(setToThree, { ifChanged: true })).not.toHaveProperty("unchanged");
    expect((await mine.load()).state.n).toBe(3);
    await cairn.close();
  });

  it("never lets a whole state replace a head that its handle has not seen", async () => {
    const cairn = await open();
    const [mine, theirs] = [counter(cairn), counter(cairn)];
    await mine.commit({ n: 1, list: [] });
    await expect(theirs.commit({ n: 9, list: [] })).rejects.toMatchObject({ code: "conflict" });
    await theirs.load();
    await theirs.commit({ n: 2, list: [] });
    await expect(mine.commit({ n: 3, list: [] })).rejects.toMatchObject({ code: "conflict" });
    expect((await mine.load()).state.n).toBe(2);
    await cairn.close();
  });

  it("goes back step by step with undo, and forward again with restore", async () => {
    const cairn = await open();
    const trail = counter(cairn);
    const saved = [];
    for (const n of [1, 2, 3]) saved.push(await trail.commit({ n, list: [] }));
    await trail.undo();
    expect((await trail.load()).state.n).toBe(2);
    await trail.undo();
    const back = await trail.load();
    expect(back).toMatchObject({ trigger: "undo", restored_from: saved[0]?.checkpoint_id, state: { n: 1 } });
    await expect(trail.undo()).rejects.toMatchObject({ code: "not-found" });
    await trail.restore(saved[2]?.checkpoint_id as string);
    expect((await trail.load()).state.n).toBe(3);
    expect(await trail.history()).toHaveLength(6);
    await cairn.close();
  });

  it("forks into a trail of its own that shares what it has not changed", async () => {
    const cairn = await open();
    const trail = counter(cairn);
    const list = Array.from({ length: 3000 }, (_, n) => n * n);
    const first = await trail.commit({ n: 1, list });
    await trail.commit({ n: 2, list });
    const objects = (await cairn.verify()).objects;
    const fork = await trail.fork("try/other", { id: first.checkpoint_id });
    expect((await cairn.verify()).objects).toBe(objects + 1);
    await fork.commit((state) => {
      state.n = 10;
    });
    expect((await fork.load()).state.n).toBe(10);
    expect((await trail.load()).state.n).toBe(2);
    await expect(trail.fork("try/other")).rejects.toMatchObject({ code: "conflict" });
    await cairn.close();
  });

  it("refuses to go back on the trail of a run", async () => {
    const cairn = await open();
    const trail = counter(cairn, "run/build-1");
    const { checkpoint_id: first } = await trail.commit({ n: 1, list: [] });
    await trail.commit({ n: 2, list: [] });
    await expect(trail.undo()).rejects.toMatchObject({ code: "refused" });
    await expect(trail.restore(first)).rejects.toMatchObject({ code: "refused" });
    await cairn.close();
  });

  it("tells what changed between neighbours, or between any two", async () => {
    const cairn = await open();
    const trail = counter(cairn);
    const first = await trail.commit({ n: 1, list: [1] });
    await trail.commit({ n: 2, list: [1] });
    await trail.commit({ n: 2, list: [1, 5] });
    expect((await trail.diff()).changes).toEqual([{ kind: "added", path: ["list", 1], to: 5 }]);
    const whole = await trail.diff(first.checkpoint_id);
    expect(whole.changes.map(({ path }) => path.join("."))).toEqual(["n", "list.1"]);
    await cairn.close();
  });

  it("keeps the order of commits whatever the clock says", async () => {
    const store = await openMemoryStore();
    const times = ["2026-05-01", "2031-01-01", "2020-02-02", "2020-02-02"].map((day) => new Date(day));
    const cairn = await openCairn({ store, now: () => times.shift() as Date });
    const trail = counter(cairn);
    for (const n of [1, 2, 3, 4]) await trail.commit({ n, list: [] });
    expect((await trail.load()).state.n).toBe(4);
    const history = await trail.history();
    expect(history.map((info) => info.created_at.slice(0, 4))).toEqual(["2020", "2020", "2031", "2026"]);
    expect(history.map((info) => info.parent_hash)).toEqual([
      ...history.slice(1).map((info) => info.content_hash),
      null,
    ]);
  });

  it("keeps secrets off the disk when it has a redactor", async () => {
    const cairn = await open();
    const secret = ["ghp", "0123456789abcdefghijABCDEFGHIJ012345"].join("_");
    const trail = cairn.trail<{ log: string; at: Date }>("main", { redactor: createRedactor() });
    await trail.commit({ log: `pushed with ${secret}`, at: new Date(0) }, { notes: `token ${secret}` });
    const loaded = await trail.load();
    expect(JSON.stringify(loaded)).not.toContain(secret);
    expect(loaded.state.at).toBe("1970-01-01T00:00:00.000Z");
    await cairn.close();
  });

  it("refuses an updater that returns a promise, because it may have to run again", async () => {
    const cairn = await open();
    const asynchronous = (async () => undefined) as never;
    await expect(counter(cairn).commit(asynchronous)).rejects.toMatchObject({ code: "usage" });
    await cairn.close();
  });
});

describe("a trail under odd use", () => {
  it("refuses what is not a state, and updaters that return a part of their draft", async () => {
    const cairn = await open();
    const trail = counter(cairn);
    for (const state of ["text", null, [1], new Date(0), 7] as never[]) {
      await expect(trail.commit(state)).rejects.toMatchObject({ code: "usage" });
    }
    const push = ((state: Counter) => state.list.push(1)) as never;
    const part = ((state: Counter) => (state.list = [1, 2])) as never;
    await expect(trail.commit(push)).rejects.toMatchObject({ code: "usage" });
    await expect(trail.commit(part)).rejects.toMatchObject({ code: "usage" });
    expect(await trail.history()).toEqual([]);
    await cairn.close();
  });

  it("takes keys for keys, whatever they are called, and names what is wrong with anything else", async () => {
    const cairn = await open();
    const trail = cairn.trail<object>("main", { initial: {} });
    const odd = { toJSON: "text", toString: 1, valueOf: null, constructor: "x", list: [{ toString: 2 }] };
    await trail.commit(odd);
    expect((await trail.load()).state).toEqual(odd);
    await expect(trail.commit({ toJSON: () => ({}), toString: 1 })).rejects.toMatchObject({
      code: "usage",
      message: "A state is a JSON object, not an object with a toJSON method.",
    });
    const other = await openCairn({ store: cairn.store, now: () => new Date(Number.NaN) });
    await expect(other.trail("main").commit(() => undefined)).rejects.toMatchObject({
      code: "usage",
      message: "The clock that was passed in gives an invalid date.",
    });
  });

  it("lets one of two forks of the same name win", async () => {
    const cairn = await open();
    const trail = counter(cairn);
    const a = await trail.commit({ n: 1, list: [] });
    const b = await trail.commit({ n: 2, list: [] });
    const forks = await Promise.allSettled([a, b].map(({ checkpoint_id: id }) => trail.fork("x", { id })));
    expect(forks.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect(await cairn.trail("x").history()).toHaveLength(1);
    await cairn.close();
  });

  it("never undoes a change that it has not seen", async () => {
    const cairn = await open();
    const [mine, theirs] = [counter(cairn), counter(cairn)];
    for (const n of [1, 2, 3]) await mine.commit({ n, list: [] });
    const add = theirs.commit((state) => {
      state.n += 10;
    });
    await Promise.all([mine.undo(), add]);
    const triggers = (await mine.history()).slice(0, 2).map(({ trigger }) => trigger);
    const { n } = (await mine.load()).state;
    expect(triggers[0] === "undo" ? n : n - 10).toBe(triggers[0] === "undo" ? 3 : 2);
    await cairn.close();
  });

  it("finishes what was asked for before it is closed", async () => {
    const path = join(folder, `${count++}`);
    const cairn = await open(path);
    const add = (state: Counter) => {
      state.n++;
    };
    const commits = [1, 2, 3].map(() => counter(cairn).commit(add));
    await cairn.close();
    await Promise.all(commits);
    const again = await open(path);
    expect((await counter(again).load()).state.n).toBe(3);
    await again.close();
  });

  it("finds a checkpoint of a clock in another century by its id", async () => {
    const store = await openMemoryStore();
    const cairn = await openCairn({ store, now: () => new Date(Date.UTC(1960, 1, 1)) });
    const saved = await counter(cairn).commit({ n: 1, list: [] });
    expect((await counter(cairn).load(saved.checkpoint_id)).state.n).toBe(1);
  });
});
