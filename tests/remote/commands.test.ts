import { randomBytes } from "node:crypto";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  watch,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openCairn } from "../../src/work/state/cairn.ts";
import { Sandbox } from "../cli/support/sandbox.ts";

describe("remotes on the command line", () => {
  let [box, url]: [Sandbox, string] = [undefined as never, ""];
  beforeEach(() => {
    box = new Sandbox();
    url = `file://${join(box.home, "share")}`;
    mkdirSync(join(box.home, "second"));
  });
  afterEach(() => box.remove());

  const second = (...args: readonly string[]) =>
    box.asSeen(box.run(args, { cwd: join(box.home, "second"), env: { CHECKPOINT_MACHINE: "desk" } }));

  it("doctor says why it cannot tell how far a remote or a mirror lags", () => {
    box.run(["goal", "Ship it"]);
    box.run(["remote", "add", "origin", url]);
    box.run(["mirror"]);
    const remotes = join(box.home, ".local", "state", "cairn", "remotes");
    for (const name of readdirSync(remotes)) writeFileSync(join(remotes, name), "{");
    const mirrors = join(box.home, ".local", "share", "cairn", "mirrors");
    for (const name of readdirSync(mirrors))
      writeFileSync(join(mirrors, name, "store.sqlite"), "not a store");
    const link = join(box.home, "link");
    symlinkSync(box.folder, link);
    for (const cwd of [box.folder, link]) {
      const { stdout } = box.run(["doctor"], { cwd });
      expect(stdout).toMatch(/Cannot tell how far the remotes lag: .*\.json" cannot\s+be\s+read\./s);
      expect(stdout).toMatch(/Cannot tell how far the mirror lags: \S+/);
    }
  });

  it("shows the way from the first push to a join", () => {
    box.run(["goal", "Ship the login page"]);
    expect(box.see("push")).toMatchInlineSnapshot(`
      "! error: This project has no remote yet.
      ! hint: checkpoint remote add NAME URL
      [exit 3]"
    `);
    expect(box.see("remote", "add", "origin", url)).toMatchInlineSnapshot(`
      "Added origin: file://HOME/share
      ! To bring everything there: checkpoint push"
    `);
    expect(box.see("push", "--dry-run")).toMatch(/^main: 1 checkpoint would go, \d+ B\.$/);
    expect(box.see("push")).toMatch(/^main: 1 checkpoint pushed, \d+ B\.$/);
    expect(box.see("push")).toMatchInlineSnapshot(`"Everything is up to date."`);
    const env = { CHECKPOINT_MACHINE: "laptop" };
    expect(second("clone", url)).toContain("main: 1 checkpoint");
    box.run(["next", "Write the test"]);
    expect(box.asSeen(box.run(["push"], { env }))).toContain("main: 1 checkpoint pushed");
    second("task", "add", "Draw the page");
    expect(second("push")).toMatchInlineSnapshot(`
      "main changed in both places. This line is on the remote as main@desk, theirs is here as main@laptop.
        To join them: checkpoint pull --join --trail main
      [exit 6]"
    `);
    expect(second("pull", "--join")).toBe(
      "main is joined with the line from laptop.\nTo share it: checkpoint push",
    );
    // The join, and the checkpoint of this machine that it joined.
    expect(second("sync")).toMatch(/^main: 2 checkpoints pushed/);
    expect(box.see("pull", "--trail", "main")).toMatchInlineSnapshot(`"main: 2 checkpoints from desk."`);
    expect(JSON.parse(second("status", "--json"))).toMatchObject({
      goal: "Ship the login page",
      next_action: "Write the test",
      open_tasks: [{ subject: "Draw the page" }],
    });
  });

  it("seals what leaves the machine, and needs the key to bring it back", () => {
    box.run(["goal", "A plan that nobody must read"]);
    expect(box.see("remote", "add", "origin", url, "--encrypt")).toContain("Sealed.");
    box.run(["push"]);
    const other = { env: { HOME: join(box.home, "elsewhere") }, cwd: join(box.home, "second") };
    mkdirSync(other.env.HOME);
    expect(box.asSeen(box.run(["clone", url], other)).replaceAll(/[0-9a-f]{16}/g, "KEY"))
      .toMatchInlineSnapshot(`
      "! error: The remote is sealed with the key KEY, which is not here.
      ! hint: On a machine that has it: checkpoint key export > cairn.key
      ! Then here: checkpoint key import cairn.key
      [exit 4]"
    `);
    expect(statSync(join(box.home, "second", ".cairn"), { throwIfNoEntry: false })).toBeUndefined();
    const key = box.run(["key", "export"]).stdout;
    expect(box.asSeen(box.run(["key", "import", "-"], { ...other, input: "nonsense" }))).toContain(
      "This is not a key.",
    );
    expect(box.run(["key", "import", "-"], { ...other, input: key }).status).toBe(0);
    expect(box.run(["clone", url], other)).toMatchObject({ status: 0 });
    expect(box.run(["status"], other).stdout).toContain("A plan that nobody must read");
  });

  it.each([[], ["--encrypt"]])("notices that a place was emptied, and fills it again %j", (...options) => {
    box.run(["goal", "Ship it"]);
    box.run(["remote", "add", "origin", url, ...options]);
    box.run(["push"]);
    const share = join(box.home, "share");
    const empty = () => {
      rmSync(share, { recursive: true });
      mkdirSync(share);
    };
    empty();
    expect(box.see("pull")).toMatchInlineSnapshot(`
      "Nothing else is new.
      ! warning: The remote "origin" has lost "main", which this machine has seen there.
      ! It is safe here. To send it again: checkpoint push --full --trail main
      [exit 5]"
    `);
    expect(box.see("push")).toMatch(/^main: 1 checkpoint pushed/);
    expect(box.see("push")).toBe("Everything is up to date.");
    empty();
    expect(box.see("push", "--full", "--trail", "main")).toMatch(/^main: 1 checkpoint pushed/);
    expect(second("clone", url)).toContain("main: 1 checkpoint");
  });

  it("does not take a disk that is not mounted for an empty remote", () => {
    const share = join(box.home, "share");
    box.run(["goal", "Ship it"]);
    box.run(["remote", "add", "origin", url]);
    box.run(["push"]);
    renameSync(share, `${share}-away`);
    for (const command of ["push", "pull", "sync"])
      expect(box.see(command)).toMatch(/^! error: The remote's folder ".*" is not there\.[^]*\[exit 1\]$/);
    expect(existsSync(share)).toBe(false);
    renameSync(`${share}-away`, share);
    expect(box.see("push")).toBe("Everything is up to date.");
  });

  it("lets a pulled run only be looked at, until it is taken over", () => {
    box.write("w.yaml", "name: w\nsteps:\n  - id: a\n    run: 'true'\n  - id: b\n    approve: Go on?\n");
    box.run(["run", "w.yaml", "--run-id", "w-1"]);
    box.run(["remote", "add", "origin", url]);
    box.run(["push"]);
    second("clone", url);
    expect(second("runs")).toContain("w-1");
    const refusal = second("resume", "w-1");
    expect(refusal).toMatchInlineSnapshot(`
      "! error: Run "w-1" was pulled: another machine may still be running it.
      ! hint: To look at it: checkpoint runs show w-1
      ! If it ended there, to continue it here: checkpoint resume w-1 --take-over
      [exit 4]"
    `);
    expect(second("approve", "w-1")).toBe(refusal);
    expect(second("cancel", "w-1")).toBe(refusal);
    expect(second("resume", "w-1", "--take-over", "--trust")).not.toContain("was pulled");
    expect(second("approve", "w-1")).not.toContain("was pulled");
    // Where it was taken from, it is only to be looked at once the machine knows, and so on, to and fro.
    second("push");
    box.run(["pull"]);
    expect(box.see("approve", "w-1")).toBe(refusal);
    expect(box.see("resume", "w-1", "--take-over", "--trust")).not.toContain("was pulled");
  });

  it("goes on watching when the remote was away for a while", async () => {
    const share = join(box.home, "share");
    box.run(["goal", "Ship it"]);
    box.run(["remote", "add", "origin", url]);
    const watching = box.start(["sync", "--watch"]);
    try {
      await watching.printed(/Watching/);
      renameSync(share, `${share}-away`);
      writeFileSync(share, "");
      box.run(["next", "Write the test"]);
      await watching.printed(/It is tried again\./);
      rmSync(share);
      renameSync(`${share}-away`, share);
      await watching.printed(/(?:main: 1 checkpoint pushed[^]*){2}/);
    } finally {
      watching.child.kill("SIGINT");
      expect((await watching.ended).status).toBe(130);
    }
  });

  it("does not call a run its own any more, once another machine has gone on with it", () => {
    box.write("w.yaml", "name: w\nsteps:\n  - id: a\n    approve: Go on?\n  - id: b\n    run: 'true'\n");
    box.run(["run", "w.yaml", "--run-id", "w-1"]);
    box.run(["remote", "add", "origin", url]);
    box.run(["push"]);
    second("clone", url);
    second("resume", "w-1", "--take-over", "--trust");
    second("approve", "w-1");
    second("push");
    box.run(["pull"]);
    expect(box.see("resume", "w-1")).toContain("was pulled");
  });

  it("refuses addresses that cannot work, or hold a secret", () => {
    const refusals = [
      "nonsense",
      "https://example.com/bucket",
      "s3://key:secret@bucket/x",
      "s3://bucket/x?endpoint=nonsense",
      "s3://bucket/x?secret=1",
      "file://host/share",
    ].map((address) => box.see("remote", "add", "origin", address));
    expect(refusals.join("\n")).toMatchInlineSnapshot(`
      "! error: "nonsense" cannot be a remote: it is not a URL.
      ! hint: For example file:///mnt/share/work or s3://bucket/prefix?endpoint=https://host&region=eu-west-1
      [exit 2]
      ! error: "https://example.com/bucket" cannot be a remote: it names no bucket and no folder.
      ! hint: For example file:///mnt/share/work or s3://bucket/prefix?endpoint=https://host&region=eu-west-1
      [exit 2]
      ! error: "s3://…" cannot be a remote: credentials do not belong in it; they come from the environment.
      ! hint: For example file:///mnt/share/work or s3://bucket/prefix?endpoint=https://host&region=eu-west-1
      [exit 2]
      ! error: "s3://bucket/x?endpoint=nonsense" cannot be a remote: its endpoint is not an address that begins with https:// or http://.
      ! hint: For example file:///mnt/share/work or s3://bucket/prefix?endpoint=https://host&region=eu-west-1
      [exit 2]
      ! error: "s3://bucket/x?secret=1" cannot be a remote: "secret" means nothing in it.
      ! hint: For example file:///mnt/share/work or s3://bucket/prefix?endpoint=https://host&region=eu-west-1
      [exit 2]
      ! error: "file://host/share" cannot be a remote: a path on this machine begins with three slashes.
      ! hint: For example file:///mnt/share/work or s3://bucket/prefix?endpoint=https://host&region=eu-west-1
      [exit 2]"
    `);
    for (const [address, why] of [
      ["file:///mnt/a%2Fb", "a folder's name cannot hold %2F or %00"],
      ["file:///mnt/a%00b", "a folder's name cannot hold %2F or %00"],
      ["file:///mnt/100%", "a % in it stands for nothing"],
      ["file:///mnt/a?region=eu-west-1", "a folder has no settings"],
      ["file:///", "it names the root of the file system"],
      ["file:////..", "it names the root of the file system"],
      ["file:///mnt/a#b", "what follows a # is no part of it"],
      ["s3://bucket:9000/x", "a bucket has no port"],
      ["s3://bucket/%E0%A4", "a % in it stands for nothing"],
      ["s3://bucket/x?endpoint=https://me:hunter2@host", "credentials do not belong in it"],
      ["s3://bucket/x?endpoint=https://host/?a", "its endpoint holds a ? or a #"],
      ["s3://bucket/x?region=elsewhere.example/", "its region is not the name of one"],
    ] as const) {
      const seen = box.see("remote", "add", "origin", address);
      expect(seen).toContain(why);
      expect(seen).toContain("[exit 2]");
      expect(seen).not.toContain("hunter2");
    }
    expect(box.see("remote", "add", "origin", "s3://bucket/x")).toMatchInlineSnapshot(`
      "! error: There are no credentials for S3: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not set, and reading AWS's own files needs @aws-sdk/credential-provider-node.
      ! hint: npm install @aws-sdk/credential-provider-node
      [exit 8]"
    `);
  });

  // Node's own way to make folders never returns there.
  it("says at once that a folder cannot be made", () => {
    const hasProc = existsSync("/proc/self");
    if (!hasProc) console.warn("SKIPPED: there is no /proc here, so no folder was tried in it.");
    for (const folder of [...(hasProc ? ["/proc/nope"] : []), join(box.home, "file/below")]) {
      writeFileSync(join(box.home, "file"), "");
      const seen = box.asSeen(box.run(["remote", "add", "origin", `file://${folder}`]));
      expect(seen).toMatch(/error: The folder ".*\/probes\/.*" cannot be made\.\n.*\n\[exit 1\]$/);
    }
  });

  it("names what is wrong with a key that is a folder", () => {
    expect(box.see("key", "import", ".")).toMatchInlineSnapshot(`
      "! error: "." cannot be read: it is not a regular file.
      ! hint: Give the path of a file.
      [exit 2]"
    `);
  });

  it("leaves nothing under the name of a backup that was killed", async () => {
    box.run(["goal", "Ship it"]);
    const cairn = await openCairn({ path: join(box.folder, ".cairn") });
    await cairn.trail("large").commit((state) => {
      state.variables["noise"] = randomBytes(8_000_000).toString("base64");
    });
    await cairn.close();
    const target = join(box.home, "target");
    mkdirSync(target);
    const watching = watch(target);
    const backup = box.start(["backup", join(target, "all.backup")]);
    await once(watching, "change");
    backup.child.kill("SIGKILL");
    await backup.ended;
    watching.close();
    const left = readdirSync(target);
    expect(left).toEqual([expect.stringMatching(/^unfinished-backup-/)]);
    expect(box.run(["backup", join(target, "all.backup")]).status).toBe(0);
    expect(readdirSync(target)).toEqual(["all.backup", ...left]);
    // A day later it goes: by then, nobody can still be writing it.
    utimesSync(join(target, left[0] as string), 0, 0);
    expect(box.run(["backup", join(target, "more.backup")]).status).toBe(0);
    expect(readdirSync(target)).toEqual(["all.backup", "more.backup"]);
    expect(box.see("backup", join(box.home, "nowhere", "all.backup"))).toMatchInlineSnapshot(`
      "! error: There is no folder "HOME/nowhere".
      ! hint: Check the path.
      [exit 3]"
    `);
  });

  it("takes away what a backup that was killed left in the store's folder, but no other's work", () => {
    box.run(["goal", "Ship it"]);
    for (const name of ["old", "new"]) mkdirSync(join(box.folder, `.cairn/.backup-${name}`));
    utimesSync(join(box.folder, ".cairn/.backup-old"), 0, 0);
    expect(box.run(["backup", "../all.backup"]).status).toBe(0);
    expect(readdirSync(join(box.folder, ".cairn")).filter((name) => name.startsWith(".b"))).toEqual([
      ".backup-new",
    ]);
  });

  it("brings a backup back after the folder was deleted, and refuses a damaged one", () => {
    box.run(["goal", "Ship it"]);
    box.run(["next", "Write the test"]);
    expect(box.see("backup", "../all.backup")).toMatch(
      /^Wrote HOME\/all\.backup \([\d.]+ kB\): 2 checkpoints in 1 trail, each byte checked\.$/,
    );
    expect(box.see("backup", "../all.backup")).toMatchInlineSnapshot(`
      "! error: There is already a file "HOME/all.backup".
      ! hint: Choose another name.
      [exit 6]"
    `);
    expect(box.see("backup", "restore", "../all.backup")).toMatchInlineSnapshot(`
      "! error: There is a store in "PROJECT/.cairn" already.
      ! hint: Move the folder away first. To see what is in it: checkpoint trails
      [exit 6]"
    `);
    rmSync(join(box.folder, ".cairn"), { recursive: true });
    const bytes = readFileSync(join(box.home, "all.backup"));
    const damaged = Buffer.from(bytes);
    const place = damaged.indexOf("Write the test");
    damaged.write("Write the tesT", place < 0 ? damaged.length - 3000 : place);
    writeFileSync(join(box.home, "damaged.backup"), damaged);
    expect(box.run(["backup", "restore", "../damaged.backup"]).status).toBe(5);
    for (const part of ["", "junk".repeat(1000), bytes.subarray(0, 5000)]) {
      writeFileSync(join(box.home, "part.backup"), part);
      expect(box.see("backup", "restore", "../part.backup")).toMatchInlineSnapshot(`
        "! error: "HOME/part.backup" is not a backup, or only a part of one.
        ! hint: Use a file that checkpoint backup wrote.
        [exit 5]"
      `);
    }
    expect(statSync(join(box.folder, ".cairn/store.sqlite"), { throwIfNoEntry: false })).toBeUndefined();
    expect(box.see("backup", "restore", "../all.backup")).toMatchInlineSnapshot(
      `"Brought back 2 checkpoints in 1 trail, each byte checked."`,
    );
    expect(box.see("verify")).toContain("Everything is intact");
    expect(box.run(["status"]).stdout).toContain("Write the test");
  });
});
