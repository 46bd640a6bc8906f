import { execFileSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";

import { knowsCommit } from "./worktree.ts";

let root: string;
beforeEach(() => (root = realpathSync(mkdtempSync(join(tmpdir(), "cairn-worktree-")))));
afterEach(() => rmSync(root, { recursive: true, force: true }));

const knows = (commit: string | undefined) =>
  knowsCommit({ root, folder: join(root, ".cairn"), env: process.env }, commit);

function git(...args: string[]): string {
  const author = ["-c", "user.name=A", "-c", "user.email=a@example.org"];
  return execFileSync("git", [...author, ...args], { cwd: root, encoding: "utf8" }).trim();
}

function commit(text: string): string {
  writeFileSync(join(root, "a.txt"), text);
  git("add", ".");
  git("commit", "--quiet", "--message", text);
  return git("rev-parse", "HEAD");
}

it("knows the commits that its checkout has behind it, and no others", async () => {
  git("init", "--quiet", "--initial-branch", "main");
  const first = commit("first");
  git("checkout", "--quiet", "-b", "other");
  const elsewhere = commit("elsewhere");
  git("checkout", "--quiet", "main");
  const last = commit("last");
  expect(await Promise.all([first, last, elsewhere, "0".repeat(40)].map(knows))).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

it("does not know a run without a commit, whose files would go into the worker's own checkout", async () => {
  git("init", "--quiet", "--initial-branch", "main");
  commit("first");
  expect(await Promise.all([undefined, "", "HEAD", "main", "--all"].map(knows))).toEqual([
    false,
    false,
    false,
    false,
    false,
  ]);
});

it("has nothing to compare with outside of git", async () => {
  expect(await knows(undefined)).toBe(true);
});
