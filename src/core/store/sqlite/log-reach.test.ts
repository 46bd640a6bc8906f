import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";

import { LogReach } from "./log-reach.ts";

const HEADER_BYTES = 32;

/** Two logs of one store as SQLite writes them: the second was begun anew where the first one had been. */
function twoLogs() {
  const path = join(mkdtempSync(join(tmpdir(), "cairn-log-")), "store.sqlite");
  const db = new DatabaseSync(path);
  db.exec("PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; CREATE TABLE t(x)");
  const look = () => {
    const { log } = db.prepare("PRAGMA wal_checkpoint(NOOP)").get() as { log: number };
    return { frames: log, bytes: readFileSync(`${path}-wal`) };
  };
  for (let row = 0; row < 20; row++) db.exec(`INSERT INTO t VALUES (${row})`);
  const first = look();
  db.exec("PRAGMA wal_checkpoint(RESTART); INSERT INTO t VALUES (20); INSERT INTO t VALUES (21)");
  const second = look();
  db.close();
  return { first, second };
}

it("waits for a log that another process is just beginning anew", () => {
  const { first, second } = twoLogs();
  expect(second.frames).toBeLessThan(first.frames);
  const store = join(mkdtempSync(join(tmpdir(), "cairn-log-")), "store.sqlite");
  const log = `${store}-wal`;
  writeFileSync(log, first.bytes);
  const reach = new LogReach(store);
  expect(reach.isWhole(() => first.frames)).toBe(true);
  const moments = [
    // Counted before another process truncated it, and read when the header of the next log is there, but no frame.
    () => {
      writeFileSync(log, second.bytes.subarray(0, HEADER_BYTES));
      return first.frames;
    },
    () => {
      writeFileSync(log, second.bytes);
      return second.frames;
    },
  ];
  let looks = 0;
  const isWhole = reach.isWhole(() => (moments[looks++] ?? (() => second.frames))());
  expect({ isWhole, looks }).toEqual({ isWhole: true, looks: 2 });
  // What it has found by then is missed when it goes.
  writeFileSync(log, second.bytes.subarray(0, HEADER_BYTES));
  expect(reach.isWhole(() => second.frames)).toBe(false);
  reach.close();
});
