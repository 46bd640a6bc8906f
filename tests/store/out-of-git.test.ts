import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openCairn } from "../../src/doors/library/index.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "cairn-git-"));
  spawnSync("git", ["init", "--quiet", root]);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

it("a store that a program makes keeps itself out of git", async () => {
  await (await openCairn({ path: join(root, "state/.cairn") })).close();
  expect(spawnSync("git", ["-C", root, "status", "--porcelain"], { encoding: "utf8" }).stdout).toBe("");
});

it("a folder that was there before is left to its owner", async () => {
  mkdirSync(join(root, "data"));
  await (await openCairn({ path: join(root, "data") })).close();
  expect(readdirSync(join(root, "data"))).not.toContain(".gitignore");
});
