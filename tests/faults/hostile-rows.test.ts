import { rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";

import { openCairn } from "../../src/doors/library/index.ts";
import { changeOf } from "../../src/testing/store/samples.ts";
import { openMemoryStore, openSqliteStore } from "../../src/core/store/sqlite.ts";
import { useFolders } from "./support/folders.ts";

const folders = useFolders();

describe("rows that somebody wrote into a store", () => {
  it.each([
    ["keeps more than there is", "01ff0f000241"],
    ["skips far beyond the end", "010180e1eb170241"],
    ["puts in more than it holds", "010000ff0f41"],
    ["is not compressed", "0200000241"],
  ])("are damage when they are a patch that %s", async (_what, patch) => {
    const path = folders.onDisk();
    const cairn = await openCairn({ path });
    const trail = cairn.trail<{ goal: string; text: string }>("main");
    for (const goal of ["one", "two"]) await trail.commit({ goal, text: "x".repeat(300) });
    await cairn.close();
    const db = new DatabaseSync(join(path, "store.sqlite"));
    const edit = db.prepare("UPDATE objects SET data = ? WHERE base IS NOT NULL");
    expect(edit.run(Buffer.from(patch, "hex")).changes).toBeGreaterThan(0);
    db.close();
    const again = await openCairn({ path });
    await expect(again.trail("main").load()).rejects.toMatchObject({ code: "corrupt" });
    expect((await again.verify()).damage).not.toEqual([]);
    await again.close();
  });

  it("are damage when they change an entry of the log", async () => {
    const path = join(folders.onDisk(), "store.sqlite");
    const store = await openSqliteStore({ path });
    await store.commit({ ...changeOf("a"), log: [{ amount: 100 }, { amount: 200 }, { amount: 300 }] });
    expect((await store.readLog({ after: 1, limit: Infinity })).map(({ number }) => number)).toEqual([2, 3]);
    expect(await store.readLog({ after: 3 })).toEqual([]);
    const db = new DatabaseSync(path);
    db.exec("UPDATE log SET entry = replace(entry, '200', '999')");
    db.close();
    expect((await store.readLog({ limit: 1 })).length).toBe(1);
    for (const page of [{}, { after: 1 }, { after: 1, limit: 1 }])
      await expect(store.readLog(page)).rejects.toMatchObject({ code: "corrupt" });
    await store.close();
  });

  it.each(["../../../../.ssh", "/etc", ".", "", "a/b", "a\\b", "x".repeat(65), null])(
    "are damage when they make %j the id of the store, after which files are named",
    async (id) => {
      const path = join(folders.onDisk(), "store.sqlite");
      await (await openSqliteStore({ path })).close();
      const db = new DatabaseSync(path);
      db.exec("DELETE FROM meta WHERE key = 'store_id'");
      if (id !== null) db.prepare("INSERT INTO meta(key, value) VALUES ('store_id', ?)").run(id);
      db.close();
      rmSync(`${path}-mark`, { force: true });
      const store = await openSqliteStore({ path });
      await expect(store.identity()).rejects.toMatchObject({ code: "corrupt" });
      await store.close();
    },
  );
});

describe("a change that no caller should make", () => {
  it("is refused whole", async () => {
    const store = await openMemoryStore();
    await expect(store.commit({ ...changeOf("a"), createdAt: Number.NaN })).rejects.toMatchObject({
      name: "CheckpointError",
    });
    expect(await store.head("main")).toBeUndefined();
    await store.close();
  });

  it("takes none of those with it that are asked for at the same time", async () => {
    const store = await openMemoryStore();
    const commits = ["one", "two", "three"].map((trail) =>
      store.commit({
        ...changeOf(trail, { trail }),
        ...(trail === "two" && { log: [{ amount: 1n as unknown as number }] }),
      }),
    );
    const settled = await Promise.allSettled(commits);
    expect(settled.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    await store.close();
  });
});

describe("records that wait in a trail that another one adopts", () => {
  it("leave with it", async () => {
    const store = await openMemoryStore();
    const name = { trail: ".staging", foreignId: "f" };
    await store.attach(name, new Map([["k", Uint8Array.of(1)]]));
    await store.commit({ ...changeOf("a"), adopts: ".staging" });
    expect((await store.verify()).damage).toEqual([]);
    await store.commit(changeOf("b", { trail: "other", foreignId: "f" }));
    await store.close();
  });
});
