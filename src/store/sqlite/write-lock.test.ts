import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { Connection } from "./connection.ts";
import { WriteLock } from "./write-lock.ts";

/** More commits than anybody may be kept waiting for. */
const MANY = 100_000;

let folder: string;
let path: string;
let opened: DatabaseSync[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "cairn-lock-"));
  path = join(folder, "store.sqlite");
  opened = [];
  open().exec("PRAGMA journal_mode = WAL; CREATE TABLE t (n)");
});

afterEach(() => {
  vi.restoreAllMocks();
  for (const db of opened) if (db.isOpen) db.close();
  rmSync(folder, { recursive: true, force: true });
});

test("who commits again and again gives way when another waits", async () => {
  const busy = open();
  const busyLock = lockOf(busy);
  await busyLock.take();
  const other = open();
  const turn = follow(
    lockOf(other)
      .take()
      .then(() => other.exec("COMMIT")),
  );
  for (let commit = 0; commit < MANY && !turn.isOver; commit++) {
    busy.exec("INSERT INTO t VALUES (1); COMMIT");
    await busyLock.take();
  }
  expect(turn.isOver).toBe(true);
});

test("a file that a killed writer left keeps nobody from going on", async () => {
  writeFileSync(`${path}-waiting-0-0`, "");
  const db = open();
  const lock = lockOf(db);
  for (let commit = 0; commit < MANY && waiting().length > 0; commit++) {
    await lock.take();
    db.exec("INSERT INTO t VALUES (1); COMMIT");
  }
  await lock.take();
  db.exec("COMMIT");
  expect(waiting()).toEqual([]);
});

test("who is never called gets its turn all the same, though another is always at work", async () => {
  const deaf = open();
  deaf.exec("BEGIN IMMEDIATE");
  const turn = follow(lockOf(open()).take());
  const now = performance.now.bind(performance);
  vi.spyOn(performance, "now").mockImplementation(() => now() + 10_000);
  for (let commit = 0; commit < MANY && !turn.isOver; commit++) {
    deaf.exec("INSERT INTO t VALUES (1); COMMIT");
    await setImmediate();
    if (!turn.isOver) deaf.exec("BEGIN IMMEDIATE");
  }
  expect(turn.isOver).toBe(true);
});

test.each([
  ["a commit", () => undefined],
  [
    "a commit that failed",
    () => {
      throw new Error("no");
    },
  ],
])("after %s, who waits is called", async (_, work) => {
  const connection = new Connection(open(), path);
  writeFileSync(`${path}-waiting-0-0`, "");
  await connection.commit(work).catch(() => undefined);
  await setImmediate();
  expect(waiting()).toEqual([]);
});

test("closing calls who waits, unless it only read", async () => {
  const reader = new Connection(open(), path);
  writeFileSync(`${path}-waiting-0-0`, "");
  reader.read(() => undefined);
  await reader.close();
  expect(waiting()).toHaveLength(1);

  const writer = new Connection(open(), path);
  await writer.commit(() => undefined);
  await writer.close();
  expect(waiting()).toEqual([]);
});

function open(): DatabaseSync {
  const db = new DatabaseSync(path, { timeout: 0 });
  opened.push(db);
  return db;
}

function lockOf(db: DatabaseSync): WriteLock {
  return new WriteLock({ path, sql: (text) => db.prepare(text) }, () => undefined);
}

function follow(work: Promise<unknown>): { isOver: boolean } {
  const followed = { isOver: false };
  void work.then(() => (followed.isOver = true));
  return followed;
}

function waiting(): string[] {
  return readdirSync(folder).filter((name) => name.includes("-waiting-"));
}
