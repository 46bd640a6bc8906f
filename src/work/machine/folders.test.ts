import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findProjectRoot, keepProjectOutOfGit } from "./folders.ts";

let root: string;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "cairn-root-")));
});

afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

describe("findProjectRoot", () => {
  it("is the folder itself when nothing marks a project", () => {
    mkdirSync(join(root, "a/b"), { recursive: true });
    expect(findProjectRoot(join(root, "a/b"))).toBe(join(root, "a/b"));
  });

  it.each([".git", ".cairn"])("walks up to a %s folder", (marker) => {
    mkdirSync(join(root, marker));
    mkdirSync(join(root, "a/b"), { recursive: true });
    expect(findProjectRoot(join(root, "a/b"))).toBe(root);
    expect(findProjectRoot(root)).toBe(root);
  });

  it("stops at the file of a worktree, even below a .cairn", () => {
    mkdirSync(join(root, ".cairn"));
    mkdirSync(join(root, "tree/src"), { recursive: true });
    writeFileSync(join(root, "tree/.git"), "gitdir: elsewhere");
    expect(findProjectRoot(join(root, "tree/src"))).toBe(join(root, "tree"));
  });

  it("stops at a .cairn inside of a repository", () => {
    mkdirSync(join(root, ".git"));
    mkdirSync(join(root, "part/.cairn"), { recursive: true });
    mkdirSync(join(root, "part/src"));
    expect(findProjectRoot(join(root, "part/src"))).toBe(join(root, "part"));
  });

  it("does not take a file called .cairn for a store", () => {
    mkdirSync(join(root, ".git"));
    mkdirSync(join(root, "part"));
    writeFileSync(join(root, "part/.cairn"), "");
    expect(findProjectRoot(join(root, "part"))).toBe(root);
  });
});

describe("keepProjectOutOfGit", () => {
  it("hides the store from status, add, clean and stash, and changes nothing else", () => {
    git("init", "-q");
    const before = snapshot(join(root, ".git"));
    keepProjectOutOfGit(root);
    writeFileSync(join(root, ".cairn/store.db"), "data");
    expect(git("status", "--porcelain")).toBe("");
    expect(git("clean", "-fdn")).toBe("");
    expect(git("add", "-An")).toBe("");
    expect(snapshot(join(root, ".git"))).toEqual(before);
    expect(readdirSync(root).toSorted()).toEqual([".cairn", ".git"]);
    expect(readFileSync(join(root, ".cairn/.gitignore"), "utf8")).toMatchInlineSnapshot(`
      "# Made by cairn: checkpoints stay out of version control.
      *
      "
    `);
  });

  it("keeps to the owner what it makes", () => {
    keepProjectOutOfGit(root);
    expect(statSync(join(root, ".cairn")).mode & 0o777).toBe(0o700);
    expect(statSync(join(root, ".cairn/.gitignore")).mode & 0o777).toBe(0o600);
  });

  it("leaves a file that somebody wrote, and does nothing the second time", () => {
    keepProjectOutOfGit(root);
    const written = readFileSync(join(root, ".cairn/.gitignore"), "utf8");
    keepProjectOutOfGit(root);
    expect(readFileSync(join(root, ".cairn/.gitignore"), "utf8")).toBe(written);
    writeFileSync(join(root, ".cairn/.gitignore"), "!*\n");
    keepProjectOutOfGit(root);
    expect(readFileSync(join(root, ".cairn/.gitignore"), "utf8")).toBe("!*\n");
  });

  it("completes the empty file of a process that was killed", () => {
    mkdirSync(join(root, ".cairn"));
    writeFileSync(join(root, ".cairn/.gitignore"), "");
    keepProjectOutOfGit(root);
    expect(readFileSync(join(root, ".cairn/.gitignore"), "utf8")).toMatch(/\*\n$/);
  });

  it("refuses links, which could lead out of the project", () => {
    mkdirSync(join(root, "elsewhere"));
    mkdirSync(join(root, "project/.cairn"), { recursive: true });
    symlinkSync(join(root, "elsewhere"), join(root, ".cairn"));
    symlinkSync(join(root, "elsewhere/.gitignore"), join(root, "project/.cairn/.gitignore"));
    expect(() => keepProjectOutOfGit(root)).toThrow(/"[^"]+\.cairn" is a symbolic link/);
    expect(() => keepProjectOutOfGit(join(root, "project"))).toThrow(/\.gitignore" is a symbolic link/);
    expect(readdirSync(join(root, "elsewhere"))).toEqual([]);
  });
});

function git(...args: string[]): string {
  const env = { PATH: process.env["PATH"], GIT_CONFIG_GLOBAL: "/dev/null", GIT_OPTIONAL_LOCKS: "0" };
  const { status, stdout, stderr } = spawnSync("git", args, { cwd: root, env, encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  return stdout;
}

/** Every file below a folder, with its content. */
function snapshot(folder: string): [string, string][] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => [path, readFileSync(path, "utf8")]);
}
