import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { copyFileSync, existsSync, renameSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readGitHead } from "./git-head.ts";
import { startWorkspace, type WorkspaceCapture, type WorkspaceOptions } from "./git-workspace.ts";

const env = { ...process.env };
let base: string;
let root: string;

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "cairn-git-")));
  root = join(base, "repo");
  mkdirSync(root);
});

afterEach(() => {
  rmSync(base, { recursive: true, force: true });
});

async function collectWorkspace({
  parent,
  ...options
}: WorkspaceOptions & { parent?: { head: string } }): Promise<WorkspaceCapture> {
  return startWorkspace(options).finish(parent);
}

describe("startWorkspace", () => {
  it("has no workspace outside of git", async () => {
    expect(await collectWorkspace({ root, env })).toEqual({ files_touched: [] });
  });

  it("sees an unborn branch and its untracked files", async () => {
    init();
    write("a b/ü\n.txt");
    write("top.txt");
    expect(await collectWorkspace({ root, env })).toEqual({
      workspace: { head: null, branch: "main", dirty: true },
      files_touched: ["a b/ü\n.txt", "top.txt"],
    });
  });

  it("sees a clean repository of 1,000 files, and one change in it", async () => {
    init();
    for (let index = 0; index < 1000; index++) write(`src/${index % 20}/file-${index}.txt`);
    const head = commit();
    const clean = { workspace: { head, branch: "main", dirty: false }, files_touched: [] };
    expect(await collectWorkspace({ root, env })).toEqual(clean);
    write("src/7/file-7.txt", "changed");
    expect(await collectWorkspace({ root, env })).toEqual({
      workspace: { head, branch: "main", dirty: true },
      files_touched: ["src/7/file-7.txt"],
    });
  });

  it("names staged, deleted, renamed and unmerged files", async () => {
    initWithCommit(["deleted", "old name", "both"]);
    git("checkout", "-qb", "other");
    write("both", "theirs");
    commit();
    git("checkout", "-q", "main");
    write("both", "ours");
    commit();
    spawnSync("git", ["merge", "-q", "other"], { cwd: root, env: identity });
    write("staged");
    git("add", "staged");
    git("mv", "old name", "new name");
    rmSync(join(root, "deleted"));
    const { files_touched } = await collectWorkspace({ root, env });
    expect(files_touched.toSorted()).toEqual(["both", "deleted", "new name", "old name", "staged"]);
  });

  it("adds what was committed since the earlier checkpoint", async () => {
    const parent = { head: initWithCommit(["a"]) };
    write("b");
    write("c");
    const head = commit();
    write("a", "changed");
    const started = startWorkspace({ root, env });
    expect(await started.finish(parent)).toEqual({
      workspace: { head, branch: "main", dirty: true },
      files_touched: ["a", "b", "c"],
    });
  });

  it("says so when the earlier commit is gone, and keeps the rest", async () => {
    const head = initWithCommit(["a"]);
    write("b");
    const { reason, ...capture } = await collectWorkspace({
      root,
      env,
      parent: { head: "0".repeat(39) + "1" },
    });
    expect(reason).toBe("git diff-tree ended with status 128");
    expect(capture).toEqual({
      workspace: { head, branch: "main", dirty: true },
      files_touched: ["b"],
    });
  });

  it("never hands git an option that a checkpoint brought along", async () => {
    initWithCommit(["a"]);
    const parent = { head: `--output=${join(base, "planted")}` };
    expect((await collectWorkspace({ root, env, parent })).reason).toBeUndefined();
    expect(readdirSync(base)).toEqual(["repo"]);
  });

  it("looks only below the project's root", async () => {
    initWithCommit(["sub/[a]/inside"]);
    const parent = { head: git("rev-parse", "HEAD") };
    write("sub/[a]/committed");
    write("outside committed");
    commit();
    write("outside");
    const inner = join(root, "sub/[a]");
    const clean = await collectWorkspace({ root: inner, env, parent });
    expect(clean.workspace?.dirty).toBe(false);
    expect(clean.files_touched).toEqual(["committed"]);
    write("sub/[a]/inside", "changed");
    expect((await collectWorkspace({ root: inner, env })).files_touched).toEqual(["inside"]);
  });

  it("leaves out .cairn, even before it is ignored", async () => {
    initWithCommit(["a"]);
    write(".cairn/store.db");
    const capture = await collectWorkspace({ root, env });
    expect(capture).toMatchObject({ workspace: { dirty: false }, files_touched: [] });
  });

  it("does not mind that somebody else holds the index lock", async () => {
    initWithCommit(["a"]);
    write(".git/index.lock");
    expect((await collectWorkspace({ root, env })).workspace?.dirty).toBe(false);
    expect(readFileSync(join(root, ".git/index.lock"), "utf8")).toBe("text");
  });

  it("does not rewrite the index, as git by itself would", async () => {
    initWithCommit(["a"]);
    // A new time makes git want to refresh the index.
    utimesSync(join(root, "a"), new Date(0), new Date(0));
    const before = readFileSync(join(root, ".git/index"));
    expect((await collectWorkspace({ root, env })).workspace?.dirty).toBe(false);
    expect(readFileSync(join(root, ".git/index")).equals(before)).toBe(true);
    git("status");
    expect(readFileSync(join(root, ".git/index")).equals(before)).toBe(false);
  });

  it("is not led elsewhere by the variables of a git hook", async () => {
    const head = initWithCommit(["a"]);
    const elsewhere = join(base, "elsewhere");
    mkdirSync(elsewhere);
    gitIn(elsewhere, "init", "-q");
    const hookEnv = {
      ...env,
      GIT_DIR: join(elsewhere, ".git"),
      GIT_WORK_TREE: elsewhere,
      GIT_INDEX_FILE: "x",
    };
    const capture = await collectWorkspace({ root, env: hookEnv });
    expect(capture.workspace).toEqual({ head, branch: "main", dirty: false });
  });

  it("looks at the working tree around the repository, whatever core.worktree says", async () => {
    initWithCommit(["a"]);
    const elsewhere = join(base, "elsewhere");
    mkdirSync(elsewhere);
    writeFileSync(join(elsewhere, "secret-name"), "");
    git("config", "core.worktree", elsewhere);
    const { files_touched, workspace } = await collectWorkspace({ root, env });
    expect([files_touched, workspace?.dirty]).toEqual([[], false]);
  });

  it.each(["", ".", delimiter, `.${delimiter}`])(
    "runs no git of the repository by the $PATH '%s'",
    async (path) => {
      initWithCommit(["git"]);
      writeFileSync(join(root, "git"), `#!/bin/sh\ntouch ${join(base, "planted")}\n`);
      chmodSync(join(root, "git"), 0o755);
      const { reason } = await collectWorkspace({ root, env: { PATH: path } });
      expect([reason, readdirSync(base)]).toEqual(["git could not be started (ENOENT)", ["repo"]]);
    },
  );

  it("runs no program that the repository names", async () => {
    initWithCommit(["git"]);
    const planted = join(base, "planted");
    writeFileSync(join(root, "git"), `#!/bin/sh\ntouch ${planted}\n`);
    chmodSync(join(root, "git"), 0o755);
    git("config", "core.fsmonitor", join(root, "git"));
    const luring = { ...identity, PATH: `.${delimiter}${identity.PATH}` };
    const capture = await collectWorkspace({ root, env: luring });
    expect(capture.files_touched).toEqual(["git"]);
    expect(readdirSync(base)).toEqual(["repo"]);
    // Both traps do work.
    git("status");
    expect(readdirSync(base)).toEqual(["planted", "repo"]);
    rmSync(planted);
    spawnSync("git", ["--version"], { cwd: root, env: luring });
    expect(readdirSync(base)).toEqual(["planted", "repo"]);
  });

  describe("with a planted config", () => {
    /** Settings by which a repository could start a program, and what it takes for git to use them. */
    const TRAPS: Record<string, (program: string) => void> = {
      "a filter": (program) => filterAll({ clean: program }),
      "a filter that stays running": (program) => filterAll({ process: program, required: "true" }),
      "a filter with a name that looks like a setting": (program) =>
        filterAll({ clean: program }, "a=b.clean"),
      "a filter in an included file": (program) => {
        filterAll({});
        writeFileSync(join(base, "more"), `[filter "trap"]\n\tclean = ${program}\n`);
        git("config", "include.path", join(base, "more"));
      },
      "a filter of this worktree only": (program) => {
        filterAll({});
        git("config", "extensions.worktreeConfig", "true");
        git("config", "--worktree", "filter.trap.clean", program);
      },
      "a filter behind a pointer file with two line ends": (program) => {
        filterAll({ clean: program });
        renameSync(join(root, ".git"), join(root, "elsewhere"));
        writeFileSync(join(root, ".git"), "gitdir: elsewhere\n\n");
      },
      "a filter of a common folder with two line ends": (program) => {
        filterAll({ clean: program });
        renameSync(join(root, ".git"), join(root, "common"));
        for (const folder of [".git", ".git/objects", ".git/refs"]) mkdirSync(join(root, folder));
        for (const file of ["HEAD", "index"])
          copyFileSync(join(root, "common", file), join(root, ".git", file));
        writeFileSync(join(root, ".git/config"), "");
        writeFileSync(join(root, ".git/commondir"), "../common\n\n");
      },
      "a way to fetch over SSH": (program) =>
        fetchLazily("ssh://localhost/x", { "core.sshCommand": program }),
      "a way to fetch from a folder": (program) => fetchLazily(base, { "remote.origin.uploadpack": program }),
      "a way to fetch by a program": (program) =>
        fetchLazily(`ext::${program}`, { "protocol.ext.allow": "always" }),
      "a file system monitor": (program) => void git("config", "core.fsmonitor", program),
    };

    it.each(Object.entries(TRAPS))("runs no program: %s", async (_trap, set) => {
      initWithCommit(["a"]);
      const program = join(base, "program");
      writeFileSync(program, `#!/bin/sh\necho >> ${join(base, "ran")}\n`);
      chmodSync(program, 0o755);
      set(program);
      // Older than the index says, so that git has to look inside.
      utimesSync(join(root, "a"), 1, 1);
      await collectWorkspace({ root, env });
      expect(existsSync(join(base, "ran"))).toBe(false);
      // The trap does work.
      spawnSync("git", ["status"], { cwd: root, env: identity, timeout: 10_000 });
      expect(existsSync(join(base, "ran"))).toBe(true);
    });

    it("says nothing wrong about files that have a filter", async () => {
      initWithCommit(["a", "b"]);
      filterAll({ clean: "tr a-z A-Z", required: "true" });
      utimesSync(join(root, "a"), 1, 1);
      write("b", "other");
      const { files_touched, reason } = await collectWorkspace({ root, env });
      expect({ files_touched, reason }).toEqual({
        files_touched: ["b", ".gitattributes"],
        reason: undefined,
      });
    });

    function filterAll(settings: Readonly<Record<string, string>>, name = "trap"): void {
      writeFileSync(join(root, ".gitattributes"), `* filter=${name}\n`);
      for (const [key, value] of Object.entries(settings)) git("config", `filter.${name}.${key}`, value);
    }

    /** A partial clone whose newest tree is missing. */
    function fetchLazily(url: string, settings: Readonly<Record<string, string>>): void {
      const tree = git("rev-parse", "HEAD^{tree}");
      rmSync(join(root, ".git/objects", tree.slice(0, 2), tree.slice(2)));
      const partial = { "core.repositoryFormatVersion": "1", "extensions.partialClone": "origin" };
      const origin = { "remote.origin.promisor": "true", "remote.origin.url": url };
      for (const [key, value] of Object.entries({ ...partial, ...origin, ...settings }))
        git("config", key, value);
    }
  });

  it("does not take the repository around for one that is broken", async () => {
    gitIn(base, "init", "-q");
    mkdirSync(join(root, ".git"));
    const capture = await collectWorkspace({ root, env });
    expect(capture.workspace?.dirty).toBeNull();
    expect(capture.reason).toBe("git status ended with status 128");
  });
});

describe("startWorkspace without a working git", () => {
  it("still knows head and branch when git is missing", async () => {
    const head = initWithCommit(["a"]);
    expect(await collectWorkspace({ root, env: { PATH: join(base, "empty") } })).toEqual({
      workspace: { head, branch: "main", dirty: null },
      files_touched: [],
      reason: "git could not be started (ENOENT)",
    });
  });

  it("kills a git that hangs", async () => {
    const head = initWithCommit(["a"]);
    const { path, log } = fakeGit(`echo $$ > "$0.pid"; exec sleep 1000`);
    const capture = await collectWorkspace({ root, env: { PATH: path }, timeoutMs: 2000 });
    expect(capture.workspace).toEqual({ head, branch: "main", dirty: null });
    expect(capture.reason).toBe("git config gave no answer within 2000 ms");
    await expect.poll(log).toBe("gone");
  });

  it("does not ask a git again that has failed", async () => {
    initWithCommit(["a"]);
    const { path } = fakeGit('echo "$@" >> "$0.log"; exit 3');
    const capture = await collectWorkspace({ root, env: { PATH: path }, parent: { head: "0".repeat(40) } });
    expect(capture.reason).toBe("git config ended with status 3");
    expect(readFileSync(join(base, "bin/git.log"), "utf8").match(/\n/g)).toHaveLength(1);
  });

  it("bounds what it takes from a git that never stops talking", async () => {
    initWithCommit(["a"]);
    const { path } = fakeGit("head -c 20000000 /dev/zero");
    const capture = await collectWorkspace({ root, env: { PATH: path } });
    expect(capture.reason).toBe("git listed more than 16777216 bytes");
  });

  /** A program called git, and a function that says whether the process which it noted is gone. */
  function fakeGit(script: string): { path: string; log: () => string } {
    const bin = join(base, "bin");
    mkdirSync(bin);
    writeFileSync(join(bin, "git"), `#!/bin/sh\n${script}\n`);
    chmodSync(join(bin, "git"), 0o755);
    const log = (): string => {
      const pid = Number(readFileSync(join(bin, "git.pid"), "utf8"));
      // A zombie for an instant, so that the kernel's word on its state is asked, not its existence.
      const state = spawnSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" }).stdout.trim();
      return state === "" || state.startsWith("Z") ? "gone" : state;
    };
    return { path: `${bin}${delimiter}${env["PATH"]}`, log };
  }
});

describe("readGitHead", () => {
  it("knows nothing outside of git", () => {
    expect(readGitHead(root)).toBeUndefined();
  });

  it("reads branch, detached HEAD and packed refs as git does", async () => {
    const head = initWithCommit(["a"]);
    expect(readGitHead(root)).toEqual({ head, branch: "main" });
    git("checkout", "-qb", "feature/deep/er");
    git("branch", "feature/deep-other");
    git("pack-refs", "--all", "--prune");
    expect(readdirSync(join(root, ".git/refs/heads"))).toEqual([]);
    expect(readGitHead(root)).toEqual({ head, branch: "feature/deep/er" });
    await expectAgreement(root);
    git("checkout", "-q", "--detach");
    expect(readGitHead(root)).toEqual({ head, branch: null });
    await expectAgreement(root);
  });

  it("prefers a loose ref to the packed one", async () => {
    initWithCommit(["a"]);
    git("pack-refs", "--all", "--prune");
    write("b");
    const head = commit();
    expect(readGitHead(root)).toEqual({ head, branch: "main" });
  });

  it("gives every worktree its own head and branch, also those of a bare repository", async () => {
    const head = initWithCommit(["a"]);
    git("worktree", "add", "-q", "-b", "side", join(base, "side"));
    writeFileSync(join(base, "side", "new"), "text");
    expect(readGitHead(join(base, "side"))).toEqual({ head, branch: "side" });
    await expectAgreement(join(base, "side"));
    expect((await collectWorkspace({ root, env })).workspace?.dirty).toBe(false);
    expect((await collectWorkspace({ root: join(base, "side"), env })).files_touched).toEqual(["new"]);

    gitIn(base, "clone", "-q", "--bare", root, "bare.git");
    gitIn(join(base, "bare.git"), "worktree", "add", "-q", "-b", "tree", join(base, "tree"));
    expect(readGitHead(join(base, "tree"))).toEqual({ head, branch: "tree" });
    await expectAgreement(join(base, "tree"));
  });

  it("follows a branch that is a symbolic ref, and stops at a circle", async () => {
    const head = initWithCommit(["a"]);
    git("symbolic-ref", "refs/heads/alias", "refs/heads/main");
    git("symbolic-ref", "HEAD", "refs/heads/alias");
    expect(readGitHead(root)).toMatchObject({ head });
    write(".git/refs/heads/circle", "ref: refs/heads/circle\n");
    write(".git/HEAD", "ref: refs/heads/circle\n");
    expect(readGitHead(root)).toEqual({ head: null, branch: "circle" });
  });

  it.each([
    ["ref: refs/heads/.invalid\n", "the refs are in the reftable format"],
    ["ref: refs/heads/../../../../etc/passwd\n", "HEAD is neither a branch nor a commit"],
    ["ref: /etc/passwd\n", "HEAD is neither a branch nor a commit"],
    ["garbage \u0000", "HEAD is neither a branch nor a commit"],
    ["x".repeat(10_000), "HEAD cannot be read: it is larger than 4096 bytes"],
  ])("says why it cannot read HEAD %#", (content, reason) => {
    initWithCommit(["a"]);
    write(".git/HEAD", content);
    expect(readGitHead(root)).toEqual({ head: null, branch: null, reason });
  });

  it("does not wait on a pipe that somebody called HEAD", () => {
    init();
    rmSync(join(root, ".git/HEAD"));
    spawnSync("mkfifo", [join(root, ".git/HEAD")]);
    expect(readGitHead(root)?.reason).toBe("HEAD cannot be read: it is not a regular file");
  });

  /** Git's own answer and ours are the same. */
  async function expectAgreement(folder: string): Promise<void> {
    const { workspace } = await collectWorkspace({ root: folder, env });
    expect(readGitHead(folder)).toEqual({ head: workspace?.head, branch: workspace?.branch });
  }
});

const identity = {
  PATH: process.env["PATH"],
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_AUTHOR_NAME: "Test",
  GIT_AUTHOR_EMAIL: "test@example.com",
  GIT_COMMITTER_NAME: "Test",
  GIT_COMMITTER_EMAIL: "test@example.com",
};

function git(...args: string[]): string {
  return gitIn(root, ...args);
}

function gitIn(cwd: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync("git", args, { cwd, env: identity, encoding: "utf8" });
  if (status !== 0) throw new Error(`git ${args.join(" ")}: ${stderr}`);
  return stdout.trim();
}

function init(): void {
  git("init", "-q", "-b", "main");
}

function initWithCommit(files: string[]): string {
  init();
  for (const file of files) write(file);
  return commit();
}

function commit(): string {
  git("add", "-A");
  git("commit", "-qm", "work");
  return git("rev-parse", "HEAD");
}

function write(path: string, content = "text"): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
}
