import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";

import { tryLock } from "./run-lock.ts";

it("is released without an error of its own, which would hide why the run ended", () => {
  const folder = mkdtempSync(join(tmpdir(), "cairn-lock-"));
  const lock = tryLock(folder, 1);
  // What cannot be removed, even by root.
  rmSync(join(folder, "lock-1"));
  mkdirSync(join(folder, "lock-1", "inside"), { recursive: true });
  expect(() => lock?.release()).not.toThrow();
  rmSync(folder, { recursive: true });
});
