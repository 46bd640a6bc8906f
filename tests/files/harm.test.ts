import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { files, filesLog, rewind } from "../../src/doors/library/project.ts";
import { files as filesCapability } from "../../src/capabilities/files/capability.ts";
import { rawIdOf } from "../../src/core/objects/object-format.ts";
import { writeJournal } from "../../src/capabilities/files/rewind/journal.ts";
import type { FileSide } from "../../src/capabilities/files/moments/sides.ts";
import { FilesBox, treeOf } from "./support/tree.ts";

let box: FilesBox;

beforeEach(() => {
  box = new FilesBox();
  box.write("a.txt", "one\n");
  box.write("src/b.txt", "one\n");
  box.commitAll("first");
});

afterEach(() => box.remove());

describe("what was not covered then", () => {
  it("stays where git ignored it at that moment", async () => {
    box.write(".gitignore", "data/\n/*.log\n");
    box.write("data/kept.txt", "made before\n");
    box.write("x.log", "made before\n");
    const id = await box.keep();
    box.write(".gitignore", "");
    box.write("new.txt", "made since\n");
    const { restored, not_covered } = await rewind(box.project, { id });
    expect(box.text("data/kept.txt") + box.text("x.log")).toBe("made before\nmade before\n");
    expect(restored.map(({ path }) => path)).toEqual([".gitignore", "new.txt"]);
    expect(not_covered.map(({ path }) => path)).toEqual(["data/kept.txt", "x.log"]);
  });

  it("stays where it was in a repository inside, whose own folder is gone", async () => {
    mkdirSync(box.path("inner"));
    execFileSync("git", ["init", "-q", box.path("inner")]);
    box.write("inner/work.txt", "theirs\n");
    const id = await box.keep();
    rmSync(box.path("inner/.git"), { recursive: true });
    await rewind(box.project, { id });
    expect(box.text("inner/work.txt")).toBe("theirs\n");
  });

  it("is not written into a repository that was made since", async () => {
    box.write("inner/work.txt", "mine\n");
    const id = await box.keep();
    execFileSync("git", ["init", "-q", box.path("inner")]);
    rmSync(box.path("inner/work.txt"));
    await rewind(box.project, { id });
    expect(existsSync(box.path("inner/work.txt"))).toBe(false);
  });
});

describe("our folder, brought along by a repository", () => {
  it.each([
    "index",
    "seen.json",
    "seen.json.tmp",
    "lock",
    "index.lock",
    "new",
    "rewind.json",
    "own-index",
    "repository/HEAD",
    "repository/info/exclude",
    "ignored/.gitignore",
  ])("with a link called %s leads nowhere", async (name) => {
    const outside = join(box.base, "outside");
    writeFileSync(outside, "another's\n");
    mkdirSync(dirname(box.path(`.cairn/files/${name}`)), { recursive: true });
    symlinkSync(outside, box.path(`.cairn/files/${name}`));
    box.write(".gitignore", "x\n");
    const id = await box.keep().catch(() => "");
    rmSync(box.path(".gitignore"));
    box.write("x", "made since\n");
    if (id !== "") await rewind(box.project, { id }).catch(() => {});
    rmSync(box.path(".git"), { recursive: true });
    await box.keep().catch(() => {});
    expect(readFileSync(outside, "utf8")).toBe("another's\n");
  });

  it("does not have its journal's words said", async () => {
    await box.keep();
    const journal = { version: 1, before: "x; rm -rf ~", target: "\u001b[2J", steps: [] };
    writeFileSync(box.path(".cairn/files/rewind.json"), JSON.stringify(journal));
    await files(box.project).catch(() => {});
    expect(box.said.join()).not.toContain("rm -rf");
  });
});

describe("a look", () => {
  it("sees a change that hides behind the times of the repository's index", async () => {
    box.git("config", "core.trustctime", "false");
    const at = new Date(Date.now() - 10_000);
    utimesSync(box.path("a.txt"), at, at);
    box.git("update-index", "--really-refresh");
    utimesSync(box.path(".git/index"), at, at);
    box.write("a.txt", "two\n");
    utimesSync(box.path("a.txt"), at, at);
    expect((await files(box.project)).changes.map(({ path }) => path)).toEqual(["a.txt"]);
  });

  it("without git is not held up by a pattern", async () => {
    rmSync(box.path(".git"), { recursive: true });
    box.write(".gitignore", `${"*a".repeat(60)}b\n`);
    box.write("a".repeat(200), "x");
    await box.keep();
    expect((await filesLog(box.project, {})).moments[0]?.files).toBeGreaterThan(2);
  }, 10_000);

  it("covers no other project's .cairn", async () => {
    box.write("sub/.cairn/store.sqlite", "bytes\n");
    await box.keep();
    expect((await files(box.project)).changes.map(({ path }) => path)).toEqual([]);
  });

  it("of a folder whose repository went covers what is no work as little as before", async () => {
    box.write("node_modules/made", "again\n");
    box.commitAll("second");
    await files(box.project);
    rmSync(box.path(".git"), { recursive: true });
    await box.keep();
    const { changes } = await files(box.project);
    expect(changes.map(({ path }) => path)).toEqual(["a.txt", "src/b.txt"]);
  });

  it("takes names that objects have for names", async () => {
    for (const name of ["__proto__", "constructor", "toString", "-rf", "a\nb", " lead", 'q"uote', "ü\u0301"])
      box.write(name, name);
    const before = treeOf(box.root);
    const id = await box.keep();
    for (const name of ["__proto__", "constructor", "toString", "-rf", "a\nb", " lead", 'q"uote', "ü\u0301"])
      rmSync(box.path(name));
    await rewind(box.project, { id });
    expect(treeOf(box.root)).toEqual(before);
  });
});

describe("taking a rewind back", () => {
  it("and taking that back, again and again, loses nothing", async () => {
    const id = await box.keep();
    const then = treeOf(box.root);
    box.write("a.txt", "two\n");
    box.write("c.txt", "two\n");
    const since = treeOf(box.root);
    await rewind(box.project, { id });
    for (const expected of [since, then, since]) {
      await rewind(box.project, { undo: true });
      expect(treeOf(box.root)).toEqual(expected);
    }
  });

  it("leaves what others wrote before a killed rewind was finished", async () => {
    const target = await box.keep();
    box.write("a.txt", "two\n");
    const before = await box.keep();
    const folder = box.path(".cairn/files");
    const holding = (content: string): FileSide => ({
      kind: "stored",
      version: { mode: "100644", size: content.length, pieces: [rawIdOf(Buffer.from(content))] },
    });
    const steps = [{ path: "a.txt", from: holding("two\n"), to: holding("one\n") }];
    writeJournal(folder, { version: 1, before, target, steps });
    box.write("src/b.txt", "another's\n");
    await files(box.project);
    expect(box.text("a.txt")).toBe("one\n");
    await rewind(box.project, { undo: true });
    expect([box.text("a.txt"), box.text("src/b.txt")]).toEqual(["two\n", "another's\n"]);
  });

  it("is not kept from its end by a file of which the disk does not say whether it is there", async () => {
    const [before, target] = [await box.keep(), await box.keep()];
    const folder = box.path(".cairn/files");
    const gone = { kind: "absent" } as const;
    const steps = [{ path: "x".repeat(300), from: gone, to: gone }];
    writeJournal(folder, { version: 1, before, target, steps });
    await files(box.project);
    expect(box.said.join()).toContain("0 files as wanted, 1 left alone");
  });
});

it("a long command is searched for what destroys in no time that a client notices", () => {
  const wants = (command: string) =>
    filesCapability.events?.wants({ moment: "before-tool", isServed: true, command });
  expect(wants("git find ".repeat(200_000))).toBe(false);
  expect(["git reset --hard", "cd x && rm -r y", "find . -name x -delete", "git status"].map(wants)).toEqual([
    true,
    true,
    true,
    false,
  ]);
}, 20_000);
