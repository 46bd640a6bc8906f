import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openProject } from "../../src/doors/library/open-project.ts";
import {
  files,
  filesDiff,
  filesLog,
  filesShow,
  now,
  rewind,
  status,
} from "../../src/doors/library/project.ts";
import { FilesBox, treeOf } from "./support/tree.ts";

let box: FilesBox;

beforeEach(() => {
  box = new FilesBox();
  box.write("a.txt", "one\n");
  box.write("src/b.txt", "one\n");
  box.commitAll("first");
});

afterEach(() => box.remove());

describe("hostile trees", () => {
  it("never have files written through a link that took a folder's place", async () => {
    const id = await box.keep();
    const outside = join(box.base, "outside");
    mkdirSync(outside);
    writeFileSync(join(outside, "b.txt"), "another's\n");
    rmSync(box.path("src"), { recursive: true });
    symlinkSync(outside, box.path("src"));
    await rewind(box.project, { id });
    expect(readFileSync(join(outside, "b.txt"), "utf8")).toBe("another's\n");
    expect(treeOf(box.root).get("src/b.txt")).toBe("file one\n");
    expect(lstatSync(box.path("src")).isDirectory()).toBe(true);
  });

  it("with a pipe, a name that is an option, and a link to a device are looked at without waiting", async () => {
    spawnSync("mkfifo", [box.path("pipe")]);
    box.write("-rf", "a name\n");
    symlinkSync("/dev/zero", box.path("endless"));
    const id = await box.keep();
    rmSync(box.path("-rf"));
    rmSync(box.path("endless"));
    await rewind(box.project, { id });
    const after = treeOf(box.root);
    expect([after.get("-rf"), after.get("endless")]).toEqual(["file a name\n", "link /dev/zero"]);
  });

  it("with too many files are not known, rather than known in part", async () => {
    mkdirSync(box.path("many"));
    for (let at = 0; at <= 20_000; at++) writeFileSync(box.path(`many/${at}`), "");
    await box.keep();
    const [last] = (await filesLog(box.project, {})).moments;
    expect(last?.failed).toBe("more than 20000 files differ from the commit");
    await status(box.project, {});
    expect(box.said.join("\n")).toContain("The files could not be kept");
  });

  it("keep a file that cannot be written as it is, and name it", async () => {
    const id = await box.keep();
    box.write("src/b.txt", "two\n");
    box.write("a.txt", "two\n");
    const foreign = { ...box.project.machine, userId: 54_321 };
    const { restored, conflicts } = await rewind({ ...box.project, machine: foreign }, { id });
    expect({ restored, paths: conflicts.map(({ path }) => path) }).toEqual({
      restored: [],
      paths: ["a.txt", "src/b.txt"],
    });
    expect(treeOf(box.root).get("a.txt")).toBe("file two\n");
  });

  it("do not lead a rewind out of the project by a journal that somebody planted", async () => {
    await box.keep();
    const steps = [{ path: "../outside", from: { kind: "absent" }, to: { kind: "absent" } }];
    writeFileSync(
      box.path(".cairn/files/rewind.json"),
      JSON.stringify({ version: 1, before: "x", target: "x", steps }),
    );
    await expect(files(box.project)).rejects.toMatchObject({ code: "corrupt" });
  });

  it("do not lead our files elsewhere by a link in place of our folder", async () => {
    mkdirSync(join(box.root, ".cairn"));
    symlinkSync(box.base, join(box.root, ".cairn/files"));
    await expect(now(box.project, { files: true })).rejects.toMatchObject({ code: "refused" });
    expect(readdirSync(box.base).toSorted()).toEqual(["home", "project"]);
  });
});

describe("what is never stored", () => {
  it.each([
    [".env", "TOKEN=canary-4f9a1c"],
    ["deploy.pem", "canary-4f9a1c"],
    ["notes.txt", "password = canary-4f9a1cQ8!x\n"],
    ["ignored.txt", "canary-4f9a1c"],
    ["big.bin", "canary-4f9a1c".repeat(500_000)],
  ])("%s", async (name, content) => {
    box.write(".gitignore", "ignored.txt\n");
    box.write(name, content);
    await box.keep();
    const stored = spawnSync("sh", ["-c", "cat .cairn/store.sqlite*"], { cwd: box.root, maxBuffer: 2 ** 28 });
    expect(stored.stdout.includes("canary-4f9a1c")).toBe(false);
    await rewind(box.project, { id: await box.keep() });
    expect(readFileSync(box.path(name), "utf8")).toBe(content);
  });

  it("is told by files and by status", async () => {
    box.write(".env", "TOKEN=x\n");
    await box.keep();
    expect((await files(box.project)).changes).toMatchObject([
      { path: ".env", not_stored: "looks like a secret" },
    ]);
    await status(box.project, {});
    expect(box.said).toContain("1 file not covered by rewind: .env (looks like a secret)");
  });
});

describe("what git makes of files", () => {
  it("comes back with its line endings, and files of a filter are left and named", async () => {
    box.write(".gitattributes", "*.crlf text eol=crlf\n*.lfs filter=lfs\n");
    box.write("x.crlf", "one\r\ntwo\r\n");
    box.write("y.lfs", "pointer\n");
    box.commitAll("second");
    const id = await box.keep();
    box.write("x.crlf", "three\n");
    box.write("y.lfs", "another\n");
    const { not_covered } = await rewind(box.project, { id });
    expect(readFileSync(box.path("x.crlf"), "utf8")).toBe("one\r\ntwo\r\n");
    expect(not_covered.map(({ path }) => path)).toEqual(["y.lfs"]);
  });

  it("is seen although the index says that a file is to be taken for unchanged", async () => {
    box.git("update-index", "--assume-unchanged", "a.txt");
    box.write("a.txt", "changed behind git's back\n");
    expect((await files(box.project)).changes).toMatchObject([{ path: "a.txt", what: "changed" }]);
  });

  it("is seen when a file is written again at once, with the same size and times", async () => {
    box.write("b.txt", "aaaa\n");
    await box.keep();
    spawnSync("sh", ["-c", "touch -r b.txt ../stamp; printf 'bbbb\\n' > b.txt; touch -r ../stamp b.txt"], {
      cwd: box.root,
    });
    const id = await box.keep();
    const shown = await filesShow(box.project, { id, path: "b.txt" });
    expect(Buffer.from(shown.base64, "base64").toString()).toBe("bbbb\n");
  });

  it("is refused during a merge", async () => {
    const id = await box.keep();
    writeFileSync(box.path(".git/MERGE_HEAD"), "0".repeat(40));
    await expect(rewind(box.project, { id })).rejects.toMatchObject({ code: "refused" });
  });

  it("names repositories inside, and leaves them alone", async () => {
    mkdirSync(box.path("inner"));
    spawnSync("git", ["init", "-q"], { cwd: box.path("inner") });
    const id = await box.keep();
    box.write("inner/file", "theirs\n");
    await rewind(box.project, { id });
    expect(existsSync(box.path("inner/file"))).toBe(true);
    expect((await files(box.project)).repositories).toEqual(["inner"]);
  });

  it("works in a linked worktree, with files of its own", async () => {
    const root = join(box.base, "tree");
    box.git("worktree", "add", "-q", root, "-b", "other");
    const before = treeOf(box.path(".git"), []);
    const project = openProject({ path: root, env: box.env });
    await now(project, { files: true });
    const [moment] = (await filesLog(project, {})).moments;
    writeFileSync(join(root, "a.txt"), "two\n");
    await rewind(project, { id: moment?.checkpoint_id ?? "" });
    expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("one\n");
    expect(treeOf(box.path(".git"), [])).toEqual(before);
    await project.stores.close();
  });

  it("is compared line by line, with what cannot be compared named", async () => {
    const id = await box.keep();
    box.write("a.txt", "one\ntwo\n");
    box.write("data", Uint8Array.of(0, 1, 2));
    chmodSync(box.path("src/b.txt"), 0o755);
    const { files: found } = await filesDiff(box.project, { a: id });
    expect(found.map(({ path, added, removed, note }) => [path, added, removed, note])).toEqual([
      ["a.txt", 1, 0, null],
      ["data", null, null, "binary: 0 to 3 bytes"],
      ["src/b.txt", 0, 0, "mode 100644 to 100755"],
    ]);
  });
});
