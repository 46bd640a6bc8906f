import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { openWorkerFolder } from "./worker-folder.ts";
import { knowsCommit, openWorktree } from "./worktree.ts";

let root: string;
beforeEach(() => (root = realpathSync(mkdtempSync(join(tmpdir(), "cairn-worktree-")))));
afterEach(() => rmSync(root, { recursive: true, force: true }));

const knows = (commit: string | undefined) =>
  knowsCommit({ root, folder: join(root, ".cairn"), env: process.env }, commit);

function git(...args: string[]): string {
  const author = ["-c", "user.name=A", "-c", "user.email=a@example.org"];
  return execFileSync("git", [...author, ...args], { cwd: root, encoding: "utf8", stdio: "pipe" }).trim();
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

describe("a checkout of a repository with a planted config", () => {
  const ran = () => existsSync(join(root, "ran"));
  /** Settings by which a checkout could start a program. */
  const TRAPS: Record<string, (program: string) => void> = {
    "a file system monitor": (program) => void git("config", "core.fsmonitor", program),
    "a filter": (program) => void git("config", "filter.trap.smudge", program),
    "a filter that stays running": (program) => void git("config", "filter.trap.process", program),
    "a filter that only worktrees include": (program) => {
      writeFileSync(join(root, ".git/more"), `[filter "trap"]\n\tsmudge = ${program}\n`);
      git("config", "includeIf.gitdir:**/worktrees/**.path", "more");
    },
    "a hook": (program) => {
      writeFileSync(join(root, ".git/hooks/post-checkout"), readFileSync(program));
      chmodSync(join(root, ".git/hooks/post-checkout"), 0o755);
    },
    "a folder of hooks": (program) => {
      mkdirSync(join(root, "hooks"));
      writeFileSync(join(root, "hooks/post-checkout"), readFileSync(program));
      chmodSync(join(root, "hooks/post-checkout"), 0o755);
      git("config", "core.hooksPath", join(root, "hooks"));
    },
  };

  it.each(Object.entries(TRAPS))("runs no program: %s", async (_trap, set) => {
    git("init", "--quiet", "--initial-branch", "main");
    writeFileSync(join(root, ".gitattributes"), "*.txt filter=trap\n");
    const head = commit("first");
    set(plant("program"));
    const worktree = await openWorktree(world(), head, "w");
    expect([readFileSync(join(worktree.root, "a.txt"), "utf8"), ran()]).toEqual(["first", false]);
    await worktree.remove();
    expect([existsSync(worktree.root), ran()]).toEqual([false, false]);
    // The trap does work.
    try {
      git("worktree", "add", "--quiet", "--detach", join(root, "control"), head);
    } catch {
      // A filter that never answers fails the checkout.
    }
    expect(ran()).toBe(true);
  });

  it.each(["", ".", `.${delimiter}`, delimiter])(
    "runs no git of the repository by the $PATH '%s'",
    async (path) => {
      git("init", "--quiet", "--initial-branch", "main");
      const head = commit("first");
      plant("git");
      expect(await knowsCommit({ ...world(), env: { PATH: path } }, head)).toBe(false);
      await expect(openWorktree({ ...world(), env: { PATH: path } }, head, "w")).rejects.toThrow("ENOENT");
      expect(ran()).toBe(false);
    },
  );

  it("writes below its own folder, whatever core.worktree says", async () => {
    git("init", "--quiet", "--initial-branch", "main");
    const head = commit("first");
    const elsewhere = mkdtempSync(join(tmpdir(), "cairn-elsewhere-"));
    git("config", "core.worktree", elsewhere);
    const worktree = await openWorktree(world(), head, "w");
    expect([existsSync(join(worktree.root, "a.txt")), existsSync(join(elsewhere, "a.txt"))]).toEqual([
      true,
      false,
    ]);
    await worktree.remove();
    rmSync(elsewhere, { recursive: true });
  });

  const world = () => ({ root, folder: join(root, ".cairn"), env: process.env });

  function plant(name: string): string {
    const program = join(root, name);
    writeFileSync(program, `#!/bin/sh\ntouch ${join(root, "ran")}\ncat\n`);
    chmodSync(program, 0o755);
    return program;
  }
});

it("is forgotten by git at the next start of a worker, even if git was killed while making it", async () => {
  git("init", "--quiet", "--initial-branch", "main");
  writeFileSync(join(root, ".gitattributes"), "*.txt filter=deadly\n");
  const head = commit("first");
  const workers = join(root, ".cairn/workers");
  mkdirSync(join(workers, "dead/worktrees"), { recursive: true });
  writeFileSync(join(workers, "dead.lock"), "");
  const checkout = ["worktree", "add", "--detach", join(workers, "dead/worktrees/w"), head];
  // Kills its whole process group, which is git's own.
  const killing = ["-c", "filter.deadly.smudge=kill -9 0", ...checkout];
  expect(await once(spawn("git", killing, { cwd: root, detached: true }), "exit")).toEqual([null, "SIGKILL"]);
  const known = () => git("worktree", "list", "--porcelain").match(/^worktree /gm);
  expect(known()).toHaveLength(2);
  const folder = await openWorkerFolder({ root, folder: join(root, ".cairn"), env: process.env }, "next");
  expect(known()).toHaveLength(1);
  await folder.remove();
  expect(readdirSync(workers)).toEqual([]);
});

it("gives a project that is a folder of the repository that folder of the checkout", async () => {
  git("init", "--quiet", "--initial-branch", "main");
  mkdirSync(join(root, "app"));
  writeFileSync(join(root, "app/b.txt"), "b");
  const head = commit("first");
  const context = { root: join(root, "app"), folder: join(root, "app/.cairn"), env: process.env };
  const worktree = await openWorktree(context, head, "w");
  expect(existsSync(join(worktree.root, "b.txt"))).toBe(true);
  await worktree.remove();
  expect(existsSync(join(root, "app/.cairn/worktrees/w"))).toBe(false);
});
