import { closeSync, ftruncateSync, openSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

import { isCheckpointError, openCairn, type Cairn } from "../../src/doors/library/index.ts";
import type { Damage } from "../../src/core/store/contract.ts";
import { useFolders } from "./support/folders.ts";

const folders = useFolders();
const COMMITS = 12;

const logOf = (folder: string) => join(folder, "store.sqlite-wal");

function cut(folder: string, keep: (size: number) => number): void {
  const log = openSync(logOf(folder), "r+");
  ftruncateSync(log, keep(statSync(logOf(folder)).size));
  closeSync(log);
}

/** Where a log may be cut: whole, in the middle, in its last frame's page, and in its last byte. */
const CUTS: Record<string, (size: number) => number> = {
  "to nothing": () => 0,
  "into its header": () => 16,
  "in half": (size) => Math.floor(size / 2),
  "into its last page": (size) => size - 100,
  "by its last byte": (size) => size - 1,
};

async function commit(cairn: Cairn, count: number): Promise<void> {
  await cairn
    .trail<{ count: number; text: string }>("main", { initial: { count: 0, text: "" } })
    .commit((state) => Object.assign(state, { count, text: `${count} `.repeat(400) }));
}

async function openWith(commits: number): Promise<{ folder: string; cairn: Cairn }> {
  const folder = join(folders.onDisk(), ".cairn");
  const cairn = await openCairn({ path: folder });
  for (let count = 1; count <= commits; count++) await commit(cairn, count);
  return { folder, cairn };
}

const namesLog = (folder: string) => (error: unknown) =>
  isCheckpointError(error, "failed") && error.details["file"] === logOf(folder);

describe("a log that another program truncates while the store is in use", () => {
  it.each(Object.entries(CUTS))("lets nothing more be called saved when it is cut %s", async (_how, keep) => {
    const { folder, cairn } = await openWith(COMMITS);
    cut(folder, keep);
    for (let again = 0; again < 2; again++)
      await expect(commit(cairn, 100)).rejects.toSatisfy(namesLog(folder));
    await cairn.close();
    expect(await withLossAccepted(folder)).toEqual([]);
  });

  it("is noticed by a handle that did not write the part that is gone", async () => {
    const { folder, cairn: one } = await openWith(COMMITS);
    const other = await openCairn({ path: folder });
    for (let count = 1; count <= COMMITS; count++) await commit(other, count);
    cut(folder, (size) => size - 2100);
    await expect(commit(one, 100)).rejects.toSatisfy(namesLog(folder));
    await expect(commit(other, 100)).rejects.toSatisfy(namesLog(folder));
    for (const cairn of [one, other]) await cairn.close();
    expect(await withLossAccepted(folder)).toEqual([]);
  });

  it("does not spoil the main file when the store is closed", async () => {
    const { folder, cairn } = await openWith(COMMITS);
    cut(folder, (size) => Math.floor(size / 2));
    await cairn.close();
    expect(await withLossAccepted(folder)).toEqual([]);
  });

  it("does not spoil the main file when the store is swept", async () => {
    const { folder, cairn } = await openWith(COMMITS);
    cut(folder, (size) => Math.floor(size / 2));
    await expect(cairn.sweep()).rejects.toThrow(/was deleted, moved, replaced or truncated/);
    await cairn.close();
    expect(await withLossAccepted(folder)).toEqual([]);
  });

  it("is no alarm where SQLite itself begins the log anew, or shortens it", async () => {
    const { folder, cairn } = await openWith(COMMITS);
    const other = await openCairn({ path: folder });
    for (let count = 0; count < 700; count++) await commit(count % 3 === 0 ? other : cairn, count);
    await cairn.sweep();
    for (let count = 0; count < 20; count++) await commit(count % 3 === 0 ? other : cairn, count);
    for (const each of [cairn, other]) await each.close();
    const again = await openCairn({ path: folder, readOnly: true });
    expect(await again.trail("main").history()).toHaveLength(COMMITS + 720);
    await again.close();
  });
});

/** The loss is told; accepted, the store continues with what came before the gap. Returns what is damaged then. */
async function withLossAccepted(folder: string): Promise<readonly Damage[]> {
  await expect(openCairn({ path: folder })).rejects.toMatchObject({
    code: "corrupt",
    details: { lost: true },
  });
  const cairn = await openCairn({ path: folder, acceptLoss: true });
  const before = (await cairn.trail("main").history()).length;
  await commit(cairn, 1000);
  const { damage } = await cairn.verify();
  expect(await cairn.trail("main").history()).toHaveLength(before + 1);
  await cairn.close();
  return damage;
}
