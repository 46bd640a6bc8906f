import { mkdtempSync, rmSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

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
    busyLock.release();
    await busyLock.take();
  });
  expect(turn.isOver).toBe(true);
});

test("who commits again and again lets its own process go on", async () => {
  const db = open();
  const lock = lockOf(db);
  const timer = follow(new Promise((resolve) => setTimeout(resolve, 1)));
  await until(timer, async () => {
    await lock.take();
    db.exec("INSERT INTO t VALUES (1); COMMIT");
    lock.release();
  });
  expect(timer.isOver).toBe(true);
});

test("who waits for too long gives up", async () => {
  open().exec("BEGIN IMMEDIATE");
  const taken = lockOf(open()).take();
  jumpForward(60);
  await expect(taken).rejects.toThrow("database is locked");
});

function open(): DatabaseSync {
  const db = new DatabaseSync(path, { timeout: 0 });
  opened.push(db);
  return db;
}

function lockOf(db: DatabaseSync): WriteLock {
  return new WriteLock({ sql: (text) => db.prepare(text) });
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

/** The clock by which turns and waits are measured. */
function jumpForward(seconds: number): void {
  const uptime = process.uptime.bind(process);
  vi.spyOn(process, "uptime").mockImplementation(() => uptime() + seconds);
}
