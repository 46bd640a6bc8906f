import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { Connection } from "./connection.ts";
import { WriteLock } from "./write-lock.ts";

/** Longer than anybody may be kept waiting. */
const LONG_MS = 10_000;

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
  const turn = follow(takeOnce(open()));
  await until(turn, async () => {
    busy.exec("INSERT INTO t VALUES (1); COMMIT");
    await busyLock.take();
  });
  expect(turn.isOver).toBe(true);
});

test("who commits again and again lets its own process go on, also when nobody can be called", async () => {
  const db = open();
  const lock = lockOf(db);
  const timer = follow(new Promise((resolve) => setTimeout(resolve, 1)));
  await until(timer, async () => {
    await lock.take();
    db.exec("INSERT INTO t VALUES (1); COMMIT");
  });
  expect(timer.isOver).toBe(true);
});

test("after a pause a new turn begins, in which nobody is called", async () => {
  const db = open();
  const lock = lockOf(db);
  await lock.take();
  db.exec("COMMIT");
  lock.passOn();
  leaveFile(1);
  jumpForward(1000);
  await lock.take();
  expect(waiting()).toHaveLength(1);
});

test("files that killed writers left keep nobody from going on, and are gone after one turn", async () => {
  leaveFile(1);
  leaveFile(2);
  const db = open();
  const lock = lockOf(db);
  await lock.take();
  db.exec("COMMIT");
  jumpForward(1000);
  for (const left of [1, 0]) {
    await lock.take();
    db.exec("INSERT INTO t VALUES (1); COMMIT");
    expect(waiting()).toHaveLength(left);
  }
});

test("who is never called gets its turn all the same, though another is always at work", async () => {
  const db = open();
  const lock = lockOf(db);
  await lock.take();
  db.exec("COMMIT");
  const deaf = open();
  deaf.exec("BEGIN IMMEDIATE");
  const turn = follow(lock.take());
  jumpForward(10_000);
  await commitUntil(turn, deaf);
  expect(turn.isOver).toBe(true);
});

test("who comes with one commit may push in, though another is always at work", async () => {
  vi.spyOn(performance, "now").mockReturnValue(0);
  const busy = open();
  busy.exec("BEGIN IMMEDIATE");
  const turn = follow(lockOf(open()).take());
  await commitUntil(turn, busy);
  expect(turn.isOver).toBe(true);
});

test("who waits for too long gives up", async () => {
  open().exec("BEGIN IMMEDIATE");
  const taken = lockOf(open()).take();
  jumpForward(60_000);
  await expect(taken).rejects.toThrow("database is locked");
  expect(waiting()).toEqual([]);
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
  leaveFile(1);
  await connection.commit(work).catch(() => undefined);
  await setImmediate();
  expect(waiting()).toEqual([]);
});

test("who has more to commit calls nobody yet", async () => {
  const connection = new Connection(open(), path);
  leaveFile(1);
  let during: string[] = [];
  const first = connection.commit(() => undefined);
  const second = connection.commit(
    () => undefined,
    async () => {
      await setImmediate();
      during = waiting();
    },
  );
  await Promise.all([first, second]);
  expect(during).toHaveLength(1);
  await setImmediate();
  expect(waiting()).toEqual([]);
});

test("closing calls who waits, unless it only read", async () => {
  const reader = new Connection(open(), path);
  leaveFile(1);
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
  return new WriteLock({ path, sql: (text) => db.prepare(text) });
}

async function takeOnce(db: DatabaseSync): Promise<void> {
  await lockOf(db).take();
  db.exec("COMMIT");
}

interface Followed {
  isOver: boolean;
}

function follow(work: Promise<unknown>): Followed {
  const followed = { isOver: false };
  void work.then(() => (followed.isOver = true));
  return followed;
}

/** A loop that may never let go of its process cannot be ended by a timer, so it looks at the clock itself. */
async function until(followed: Followed, step: () => Promise<void>): Promise<void> {
  const end = Date.now() + LONG_MS;
  while (!followed.isOver && Date.now() < end) await step();
}

/** Commits again and again, and neither calls anybody nor gives way. */
async function commitUntil(followed: Followed, db: DatabaseSync): Promise<void> {
  await until(followed, async () => {
    db.exec("INSERT INTO t VALUES (1); COMMIT");
    await setImmediate();
    if (!followed.isOver) db.exec("BEGIN IMMEDIATE");
  });
}

/** The clock by which turns and waits are measured. */
function jumpForward(milliseconds: number): void {
  const now = performance.now.bind(performance);
  vi.spyOn(performance, "now").mockImplementation(() => now() + milliseconds);
}

/** That of a writer that was killed a moment ago. */
function leaveFile(number: number): void {
  writeFileSync(`${path}-waiting-${Date.now() - 1000}-${number}`, "");
}

function waiting(): string[] {
  return readdirSync(folder).filter((name) => name.includes("-waiting-"));
}
