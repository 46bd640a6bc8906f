import { createHash } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";

import { isCheckpointError, openCairn } from "../../src/doors/library/index.ts";
import { useFolders } from "./support/folders.ts";
import { report, scaled } from "./support/scale.ts";

const folders = useFolders();
const COMMITS = 12;
const FLIPS = scaled(30, 800);

/** What a writer leaves that is killed: everything but the shared memory, which every process makes for itself. */
async function killedWriter(commits = COMMITS): Promise<string> {
  const folder = join(folders.onDisk(), ".cairn");
  const cairn = await openCairn({ path: folder });
  for (let count = 1; count <= commits; count++)
    await cairn
      .trail<{ count: number }>("main", { initial: { count } })
      .commit((state) => void (state.count = count));
  const left = copyOf(folder);
  await cairn.close();
  return left;
}

function copyOf(folder: string): string {
  const copy = join(folders.onDisk(), ".cairn");
  mkdirSync(copy, { mode: 0o700 });
  for (const name of readdirSync(folder))
    if (!name.endsWith("-shm")) copyFileSync(join(folder, name), join(copy, name));
  return copy;
}

function flipBit(file: string, bit: number): void {
  const bytes = readFileSync(file);
  bytes[bit >> 3] = (bytes[bit >> 3] as number) ^ (1 << (bit & 7));
  writeFileSync(file, bytes);
}

const isLoss = (error: unknown) => isCheckpointError(error, "corrupt") && error.details["lost"] === true;

/** How many commits are found, or that the loss is told. */
async function look(folder: string, readOnly: boolean): Promise<number | "loss"> {
  try {
    const cairn = await openCairn({ path: folder, readOnly });
    const history = await cairn.trail("main").history();
    await cairn.close();
    return history.length;
  } catch (error) {
    if (isLoss(error)) return "loss";
    throw error;
  }
}

describe("a log that was damaged", () => {
  it.each([false, true])("is told, wherever the bit that flipped (opened to read: %s)", async (readOnly) => {
    const left = await killedWriter();
    const bits = statSync(join(left, "store.sqlite-wal")).size * 8;
    const outcomes = new Map<number | "loss", number>();
    for (let flip = 0; flip < FLIPS; flip++) {
      const folder = copyOf(left);
      flipBit(join(folder, "store.sqlite-wal"), Math.floor((bits * (flip + 0.5)) / FLIPS));
      const found = await look(folder, readOnly);
      outcomes.set(found, (outcomes.get(found) ?? 0) + 1);
      rmSync(folder, { recursive: true });
    }
    const told = outcomes.get("loss") ?? 0;
    report(
      `${FLIPS} flips in a log, opened to ${readOnly ? "read" : "write"}: ${told} told, ${outcomes.get(COMMITS) ?? 0} harmless`,
      "one bit flips in what was committed last, which is still in the log",
    );
    // Whatever is neither told nor whole was lost silently.
    expect(told + (outcomes.get(COMMITS) ?? 0)).toBe(FLIPS);
    expect(told).toBeGreaterThan(FLIPS / 2);
  });

  it("is told too when it is deleted, and no other store is put in place of a young one", async () => {
    const folder = await killedWriter(1);
    rmSync(join(folder, "store.sqlite-wal"));
    expect(await look(folder, false)).toBe("loss");
    rmSync(join(folder, "store.sqlite"));
    await expect(openCairn({ path: folder })).rejects.toMatchObject({ code: "corrupt" });
    writeFileSync(join(folder, "store.sqlite"), "");
    await expect(openCairn({ path: folder })).rejects.toMatchObject({ code: "corrupt" });
  });

  it.each([
    ["a log", ["store.sqlite-wal"]],
    ["a mark", ["store.sqlite-mark"]],
    ["both", ["store.sqlite-wal", "store.sqlite-mark"]],
  ])("does not become a new store where of the store only %s is left", async (_what, left) => {
    const folder = await killedWriter();
    for (const name of readdirSync(folder)) if (!left.includes(name)) rmSync(join(folder, name));
    const before = left.map((name) => readFileSync(join(folder, name)));
    for (const main of ["missing", "empty"]) {
      if (main === "empty") writeFileSync(join(folder, "store.sqlite"), "");
      await expect(openCairn({ path: folder })).rejects.toThrow(/is missing or empty/);
      expect(left.map((name) => readFileSync(join(folder, name)))).toEqual(before);
    }
  });

  it("does not become a new store in a database without tables, where a mark is left", async () => {
    const folder = await killedWriter();
    for (const name of ["store.sqlite", "store.sqlite-wal"]) rmSync(join(folder, name));
    const empty = new DatabaseSync(join(folder, "store.sqlite"));
    empty.exec("PRAGMA journal_mode = WAL");
    empty.close();
    expect(statSync(join(folder, "store.sqlite")).size).toBeGreaterThan(0);
    await expect(openCairn({ path: folder })).rejects.toThrow(/is missing or empty/);
  });

  it("is kept, and nothing is written, until the loss is accepted", async () => {
    const folder = await killedWriter();
    flipBit(join(folder, "store.sqlite-wal"), 8 * 5000);
    const log = readFileSync(join(folder, "store.sqlite-wal"));
    expect(await look(folder, false)).toBe("loss");
    expect(await look(folder, false)).toBe("loss");
    const accepted = await openCairn({ path: folder, acceptLoss: true });
    await accepted.trail<object>("main", { initial: {} }).commit(() => ({ goes: "on" }));
    await accepted.close();
    const [copy] = readdirSync(folder).filter((name) => name.includes("-lost-log-"));
    expect(readFileSync(join(folder, copy as string)).equals(log)).toBe(true);
    expect(await look(folder, true)).toBeGreaterThan(0);
  });

  it("is no alarm when the mark itself is short, zero, torn, old or not there", async () => {
    const left = await killedWriter();
    const mark = readFileSync(join(left, "store.sqlite-mark"));
    for (const bytes of [mark.subarray(0, 50), Buffer.alloc(mark.length), Buffer.alloc(0), undefined]) {
      const folder = copyOf(left);
      rmSync(join(folder, "store.sqlite-mark"));
      if (bytes) writeFileSync(join(folder, "store.sqlite-mark"), bytes);
      expect(await look(folder, true)).toBe(COMMITS);
      expect(await look(folder, false)).toBe(COMMITS);
    }
    const cairn = await openCairn({ path: left });
    await cairn.trail<object>("main", { initial: {} }).commit(() => ({ one: "more" }));
    await cairn.close();
    writeFileSync(join(left, "store.sqlite-mark"), mark);
    expect(await look(left, false)).toBe(COMMITS + 1);
  });

  it("is no alarm after what the mark names was removed", async () => {
    const folder = join(folders.onDisk(), ".cairn");
    const cairn = await openCairn({ path: folder });
    for (const name of ["main", "gone"]) await cairn.trail<object>(name, { initial: {} }).commit({ name });
    await cairn.store.remove({ trails: ["gone"] });
    await cairn.sweep();
    await cairn.trail("other").commit(() => undefined);
    await cairn.close();
    expect(await look(folder, false)).toBe(1);
  });

  it("does not keep commits from being saved where the mark cannot be written", async () => {
    const folder = join(folders.onDisk(), ".cairn");
    mkdirSync(join(folder, "store.sqlite-mark"), { recursive: true });
    const cairn = await openCairn({ path: folder });
    await cairn.trail("main").commit(() => undefined);
    await cairn.close();
    expect(await look(folder, false)).toBe(1);
    expect(existsSync(join(folder, "store.sqlite"))).toBe(true);
  });
});

describe("a log that was damaged, where it cannot be copied aside", () => {
  const copyPath = (folder: string) => {
    const content = readFileSync(join(folder, "store.sqlite-wal"));
    const name = createHash("sha256").update(content).digest("hex").slice(0, 16);
    return join(folder, `store.sqlite-lost-log-${name}`);
  };

  it("is told, and stays where it is", async () => {
    const folder = copyOf(await killedWriter());
    const log = join(folder, "store.sqlite-wal");
    flipBit(log, 200 * 8);
    const before = readFileSync(log);
    // A folder is in the way; a disk that refuses the copy could be simulated only by root.
    mkdirSync(copyPath(folder));
    for (const readOnly of [true, false])
      await expect(openCairn({ path: folder, readOnly })).rejects.toMatchObject({
        code: "corrupt",
        hint: expect.stringContaining("could not be copied aside"),
      });
    await expect(openCairn({ path: folder, acceptLoss: true })).rejects.toMatchObject({ code: "corrupt" });
    expect(readFileSync(log).equals(before)).toBe(true);
  });

  it("replaces a half copy or a link, and is kept beside the copy of an earlier one", async () => {
    const folder = copyOf(await killedWriter());
    const log = join(folder, "store.sqlite-wal");
    flipBit(log, 200 * 8);
    const [copy, earlier] = [copyPath(folder), join(folder, "store.sqlite-lost-log-0000")];
    writeFileSync(earlier, "an earlier log");
    symlinkSync(earlier, copy);
    const lost = readFileSync(log);
    const cairn = await openCairn({ path: folder, acceptLoss: true });
    await cairn.close();
    expect(readFileSync(copy).equals(lost)).toBe(true);
    expect(readFileSync(earlier, "utf8")).toBe("an earlier log");
  });
});
