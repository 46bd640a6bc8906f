import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

import { WaitingLine } from "./waiting-line.ts";

/** Far longer than any test may take: who is not called would exceed the test's own time. */
const LONG_MS = 60_000;

let folder: string;
let store: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "cairn-line-"));
  store = join(folder, "store.sqlite");
  writeFileSync(store, "");
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("wakes who has waited longest, and nobody else", async () => {
  const line = new WaitingLine(store);
  const first = line.enter();
  const firstCalled = first.wait(LONG_MS);
  const [oldest] = waiting();
  await laterMillisecond();
  const second = line.enter();
  const secondCalled = second.wait(LONG_MS);
  expect(waiting()).toHaveLength(2);

  line.callNext();
  expect(await firstCalled).toBe(true);
  expect(waiting()).toHaveLength(1);
  expect(waiting()).not.toContain(oldest);

  line.callNext();
  expect(await secondCalled).toBe(true);
  first.leave();
  second.leave();
});

test("takes the same place again when the call came to nothing", async () => {
  const line = new WaitingLine(store);
  const place = line.enter();
  const called = place.wait(LONG_MS);
  const before = waiting();
  line.callNext();
  expect(await called).toBe(true);
  expect(waiting()).toEqual([]);

  const again = place.wait(LONG_MS);
  expect(waiting()).toEqual(before);
  line.callNext();
  expect(await again).toBe(true);
  place.leave();
});

test("looks for itself when nobody calls, and leaves nothing behind", async () => {
  const place = new WaitingLine(store).enter();
  expect(await place.wait(1)).toBe(false);
  expect(await place.wait(1)).toBe(false);
  place.leave();
  expect(readdirSync(folder)).toEqual(["store.sqlite"]);
});

test("what a killed process left is removed in its turn", async () => {
  const line = new WaitingLine(store);
  writeFileSync(`${store}-waiting-${Date.now() - 1000}-1`, "");
  const place = line.enter();
  const called = place.wait(LONG_MS);
  expect(line.callNext()).toBe(true);
  expect(waiting()).toHaveLength(1);
  expect(line.callNext()).toBe(true);
  expect(await called).toBe(true);
  expect(line.callNext()).toBe(false);
  place.leave();
});

test("what was left long ago keeps nobody waiting", async () => {
  const line = new WaitingLine(store);
  for (const name of ["0-1", `${Date.now() - 120_000}-1`, "x"]) writeFileSync(`${store}-waiting-${name}`, "");
  expect(line.callNext()).toBe(false);
  expect(waiting()).toEqual([]);

  for (const name of ["0-1", "0-2"]) writeFileSync(`${store}-waiting-${name}`, "");
  const place = line.enter();
  const called = place.wait(LONG_MS);
  expect(line.callNext()).toBe(true);
  expect(await called).toBe(true);
  expect(waiting()).toEqual([]);
  place.leave();
});

test("what cannot be removed is passed over", async () => {
  const line = new WaitingLine(store);
  mkdirSync(`${store}-waiting-${Date.now() - 1000}-1`);
  const place = line.enter();
  const called = place.wait(LONG_MS);
  expect(line.callNext()).toBe(true);
  expect(await called).toBe(true);
  place.leave();
});

test("where files cannot be watched, nobody else's call is lost", async () => {
  const line = new WaitingLine(store);
  const unwatched = new WaitingLine(store, () => {
    throw new Error("No more files can be watched.");
  }).enter();
  const timeIsUp = unwatched.wait(1);
  const place = line.enter();
  const called = place.wait(LONG_MS);
  expect(waiting()).toHaveLength(1);
  line.callNext();
  expect(await called).toBe(true);
  expect(await timeIsUp).toBe(false);
  expect([place.canBeCalled, unwatched.canBeCalled]).toEqual([true, false]);
  place.leave();
  unwatched.leave();
});

test("waits by the clock where no file can be made, and calls nobody where there is no folder", async () => {
  const line = new WaitingLine(join(folder, "missing", "store.sqlite"));
  line.callNext();
  const place = line.enter();
  expect(await place.wait(1)).toBe(false);
  place.leave();
});

function waiting(): string[] {
  return readdirSync(folder).filter((name) => name.includes("-waiting-"));
}

/** Places are ordered by when they were taken. */
async function laterMillisecond(): Promise<void> {
  const now = Date.now();
  while (Date.now() === now) await new Promise((resolve) => setImmediate(resolve));
}
