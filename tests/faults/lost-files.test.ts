import { copyFileSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { describe, expect, it } from "vitest";

import { isCheckpointError, openCairn, type Cairn } from "../../src/doors/library/index.ts";
import { useFolders } from "./support/folders.ts";

const folders = useFolders();
const COMMITS = 10;

/** What people and tools do to a store that is in use, by what must be named as lost. */
const WAYS: Record<string, { readonly lost: string; readonly strike: (folder: string) => void }> = {
  "its folder is deleted": {
    lost: "store.sqlite",
    strike: (folder) => rmSync(folder, { recursive: true }),
  },
  "its folder is moved": {
    lost: "store.sqlite",
    strike: (folder) => renameSync(folder, `${folder}-moved`),
  },
  "its file is replaced by a copy": {
    lost: "store.sqlite",
    strike(folder) {
      copyFileSync(join(folder, "store.sqlite"), join(folder, "copy"));
      renameSync(join(folder, "copy"), join(folder, "store.sqlite"));
    },
  },
  "only its log is deleted": {
    lost: "store.sqlite-wal",
    strike: (folder) => rmSync(join(folder, "store.sqlite-wal")),
  },
  "only its shared memory is deleted": {
    lost: "store.sqlite-shm",
    strike: (folder) => rmSync(join(folder, "store.sqlite-shm")),
  },
};

describe("a store that is in use", () => {
  it.each(Object.entries(WAYS))("calls nothing saved any more when %s", async (_way, { lost, strike }) => {
    const folder = join(folders.onDisk(), ".cairn");
    const cairn = await openWith(folder, COMMITS);
    strike(folder);
    expect(await tryAll(cairn)).toEqual(namedBy(join(folder, lost)));
    await cairn.close();
  });

  it.each(Object.entries(WAYS))("does so too when its folder had been at rest and %s", async (_way, way) => {
    const folder = join(folders.onDisk(), ".cairn");
    const cairn = await openAtRest(folder);
    way.strike(folder);
    expect(await tryAll(cairn)).toEqual(namedBy(join(folder, way.lost)));
    await cairn.close();
  });

  it("writes its mark again with the next commit when that was deleted", async () => {
    const folder = join(folders.onDisk(), ".cairn");
    const cairn = await openAtRest(folder);
    const mark = join(folder, "store.sqlite-mark");
    rmSync(mark);
    await cairn.trail("main").commit(increment);
    const written = readFileSync(mark, "utf8");
    await cairn.trail("main").commit(increment);
    expect(readFileSync(mark, "utf8")).not.toBe(written);
    await cairn.close();
  });

  it("calls nothing saved when it is deleted before the first commit", async () => {
    const folder = join(folders.onDisk(), ".cairn");
    const cairn = await openCairn({ path: folder });
    rmSync(folder, { recursive: true });
    expect(await tryAll(cairn)).toEqual(namedBy(join(folder, "store.sqlite")));
    await cairn.close();
  });

  it.each([0, COMMITS])("leaves a new store in its place alone, after %d commits", async (commits) => {
    const folder = join(folders.onDisk(), ".cairn");
    const old = await openWith(folder, commits);
    rmSync(folder, { recursive: true });
    const fresh = await openWith(folder, COMMITS);
    expect(await tryAll(old)).toEqual(namedBy(join(folder, "store.sqlite")));
    await old.close();
    await fresh.trail("main").commit(increment);
    await fresh.close();
    const again = await openCairn({ path: folder, readOnly: true });
    expect(await again.trail("main").history()).toHaveLength(COMMITS + 1);
    expect((await again.verify()).damage).toEqual([]);
    await again.close();
  });

  it("keeps what it acknowledged before its log was deleted, though it is never closed", async () => {
    const folder = join(folders.onDisk(), ".cairn");
    const cairn = await openWith(folder, COMMITS);
    rmSync(join(folder, "store.sqlite-wal"));
    expect(await tryAll(cairn)).toEqual(namedBy(join(folder, "store.sqlite-wal")));
    const again = await openCairn({ path: folder, readOnly: true });
    expect((await again.trail("main").history()).length).toBeGreaterThanOrEqual(COMMITS);
    await again.close();
    await cairn.close();
  });
});

function increment(state: { variables: Record<string, unknown> }): void {
  state.variables["n"] = Number(state.variables["n"] ?? 0) + 1;
}

async function openWith(folder: string, commits: number): Promise<Cairn> {
  const cairn = await openCairn({ path: folder });
  for (let count = 0; count < commits; count++) await cairn.trail("main").commit(increment);
  return cairn;
}

/** A store whose last commits found that nothing had changed in its folder for a while. */
async function openAtRest(folder: string): Promise<Cairn> {
  const cairn = await openWith(folder, COMMITS);
  await setTimeout(200);
  for (let count = 0; count < COMMITS; count++) await cairn.trail("main").commit(increment);
  return cairn;
}

/** Each way to write, with how it ended. */
async function tryAll(cairn: Cairn): Promise<Record<string, unknown>> {
  const ways: Record<string, () => Promise<unknown>> = {
    commit: () => cairn.trail("main").commit(increment),
    again: () => cairn.trail("other").commit(increment),
    sweep: () => cairn.sweep(),
    remove: () => cairn.store.remove({ trails: ["main"] }),
  };
  const ends: Record<string, unknown> = {};
  for (const [name, way] of Object.entries(ways)) {
    ends[name] = await way().then(
      () => "saved",
      (error: unknown) => isCheckpointError(error, "failed") && error.details["file"],
    );
  }
  return ends;
}

/** What is expected of each when this file is lost. */
function namedBy(file: string): Record<string, string> {
  return { commit: file, again: file, sweep: file, remove: file };
}
