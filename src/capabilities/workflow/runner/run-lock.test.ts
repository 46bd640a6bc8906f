import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";

import { CheckpointError } from "../../../core/errors.ts";
import { isLocked, tryLock } from "./run-lock.ts";

it("is released without an error of its own, which would hide why the run ended", () => {
  const folder = mkdtempSync(join(tmpdir(), "cairn-lock-"));
  const lock = tryLock(folder, 1);
  // What cannot be removed, even by root.
  rmSync(join(folder, "lock-1"));
  mkdirSync(join(folder, "lock-1", "inside"), { recursive: true });
  expect(() => lock?.release()).not.toThrow();
  rmSync(folder, { recursive: true });
});

it("says so if a folder stands where a lock should", () => {
  const folder = mkdtempSync(join(tmpdir(), "cairn-lock-"));
  mkdirSync(join(folder, "lock-1"));
  for (const use of [isLocked, tryLock])
    expect(() => use(folder, 1)).toThrow(/lock-1" is a folder, where the lock of a run should be/);
  rmSync(folder, { recursive: true });
});

it("does not wait at a pipe, nor look through a link, that stands where a lock should", () => {
  const folder = mkdtempSync(join(tmpdir(), "cairn-lock-"));
  execFileSync("mkfifo", [join(folder, "lock-1")]);
  symlinkSync(join(folder, "elsewhere"), join(folder, "lock-2"));
  for (const epoch of [1, 2]) {
    expect(() => isLocked(folder, epoch)).toThrow(CheckpointError);
    expect(() => tryLock(folder, epoch)).toThrow(CheckpointError);
  }
  rmSync(folder, { recursive: true });
});
