import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";

import { findOutputs, readFileFacts } from "./artifacts.ts";

let root: string;
beforeEach(() => (root = mkdtempSync(join(tmpdir(), "cairn-artifacts-"))));
afterEach(() => rmSync(root, { recursive: true, force: true }));

it.skipIf(process.platform === "win32")("does not read what has no end: a pipe, a device", async () => {
  writeFileSync(join(root, "report.md"), "done");
  expect(spawnSync("mkfifo", [join(root, "pipe.md")]).status).toBe(0);
  symlinkSync("/dev/zero", join(root, "zero.md"));
  expect(findOutputs(["*.md"], root)).toEqual({ paths: ["report.md"], missing: [], refused: [] });
  // Put there after they were found.
  expect(await readFileFacts(root, "pipe.md")).toBeUndefined();
  expect(await readFileFacts(root, "zero.md")).toBeUndefined();
  expect(await readFileFacts(root, "report.md")).toMatchObject({ size_bytes: 4 });
});
