import { on } from "node:events";
import {
  cpSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  watch,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setImmediate as turn, setTimeout as wait } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openCairn } from "../../src/work/state/cairn.ts";
import { mirrorLag } from "../../src/capabilities/sync/verbs/mirror.ts";
import { openProject } from "../../src/doors/library/open-project.ts";
import { now } from "../../src/work/project/saving/now.ts";
import { openSqliteStore } from "../../src/core/store/sqlite.ts";
import { Sandbox } from "../cli/support/sandbox.ts";
import { report, scaled } from "../faults/support/scale.ts";

/** `npm run proof` does more of them. */
const ROUNDS = scaled(2, 50);

vi.setConfig({ testTimeout: ROUNDS > 10 ? 900_000 : 120_000 });

describe("the mirror of a project", () => {
  let box: Sandbox;
  beforeEach(() => (box = new Sandbox()));
  afterEach(() => box.remove());

  const data = () => join(box.home, ".local", "share", "cairn", "mirrors");
  const names = () => readdirSync(data());
  const seen = (text: string) =>
    text.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "ID").replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "TIME");
  /** As `git clean -fdx` does. */
  const clean = () => rmSync(join(box.folder, ".cairn"), { recursive: true });
  const project = (path = box.folder) => openProject({ path, env: { HOME: box.home } });

  it("is made by a command, kept by the next ones, and brought back when asked for", async () => {
    box.run(["goal", "Ship the login page"]);
    expect(seen(box.see("mirror"))).toMatchInlineSnapshot(
      `"Made HOME/.local/share/cairn/mirrors/ID/store.sqlite. It is up to date."`,
    );
    box.run(["tag", "v1"]);
    box.run(["next", "Write the test"]);
    const [name = ""] = names();
    expect(statSync(join(data(), name)).mode & 0o777).toBe(0o700);
    for (const file of readdirSync(join(data(), name)))
      expect(statSync(join(data(), name, file)).mode & 0o777).toBe(0o600);
    expect(box.see("doctor")).toContain("mirror     up to date in HOME");
    clean();
    expect(seen(box.see("list"))).toMatchInlineSnapshot(`
      "! error: The store that was in "PROJECT/.cairn" is gone.
      ! hint: If it was moved, move it back.
      ! Its mirror is there (TIME). To bring it in: checkpoint mirror restore
      [exit 3]"
    `);
    expect(box.see("mirror", "restore")).toMatchInlineSnapshot(`"Brought back 1 trail, each byte checked."`);
    expect(box.see("mirror", "restore")).toMatchInlineSnapshot(`
      "! error: There is no such mirror of this project.
      ! hint: checkpoint mirror list
      [exit 3]"
    `);
    expect(JSON.parse(box.see("load", "v1", "--json"))).toMatchObject({ goal: "Ship the login page" });
    expect(JSON.parse(box.see("status", "--json"))).toMatchObject({ next_action: "Write the test" });
    expect(box.see("verify")).toContain("Everything is intact");
    expect(names()).toEqual([name]);
  });

  it("stays that of its project when a copy of the project is looked at, or thinned", () => {
    box.run(["goal", "Before"]);
    box.run(["goal", "Ship it"]);
    box.run(["mirror"]);
    const copy = join(box.home, "copy");
    cpSync(box.folder, copy, { recursive: true });
    box.run(["status"], { cwd: copy });
    box.run(["prune", "--keep", "1"], { cwd: copy });
    clean();
    expect(box.see("status")).toContain("Its mirror is there");
    box.run(["status"], { cwd: copy });
    expect(box.see("mirror", "restore")).toMatchInlineSnapshot(`"Brought back 1 trail, each byte checked."`);
    expect(JSON.parse(box.see("list", "--json"))).toMatchObject({ checkpoints: [{}, {}] });
  });

  it("is not advised by doctor where there is one", () => {
    mkdirSync(join(box.folder, ".git"));
    writeFileSync(join(box.folder, ".git", "HEAD"), "ref: refs/heads/main\n");
    box.run(["goal", "Ship it"]);
    expect(box.see("doctor")).toContain("git clean -x would remove the store");
    box.run(["mirror"]);
    expect(box.see("doctor")).not.toContain("git clean -x would remove the store");
  });

  it("comes beside what was saved since, under names that are free", () => {
    mkdirSync(join(box.home, ".config", "cairn"), { recursive: true });
    writeFileSync(join(box.home, ".config", "cairn", "config.yaml"), "mirror: true\n");
    box.run(["goal", "Before"]);
    box.run(["fork", "--as", "trial"]);
    clean();
    expect(seen(box.see("goal", "After").replaceAll(/ckpt-\S+/g, "CKPT"))).toContain(
      "To bring it in: checkpoint mirror restore",
    );
    expect(names()).toHaveLength(2);
    // Whoever made the new store may not have read what it said.
    for (const command of ["status", "doctor"])
      expect(box.see(command)).toContain("An earlier store of this project is gone, but its mirror is there");
    expect(box.see("mirror", "restore")).toMatchInlineSnapshot(`
      "Brought back 2 trails, each byte checked.
      main is here as main@mirror."
    `);
    expect(JSON.parse(box.see("load", "--json"))).toMatchObject({ goal: "After" });
    expect(JSON.parse(box.see("load", "--trail", "main@mirror", "--json"))).toMatchObject({ goal: "Before" });
    expect(JSON.parse(box.see("load", "--trail", "trial", "--json"))).toMatchObject({ goal: "Before" });
    expect(JSON.parse(box.see("mirror", "restore", "--json"))).toMatchObject({ trails: [] });
    for (const command of ["status", "doctor"]) expect(box.see(command)).not.toContain("An earlier store");
    // As status says; there is no remote.
    const joining = ["pull", "--join", "--trail", "main"];
    expect(box.see("status")).toContain(`To join them: checkpoint ${joining.join(" ")}`);
    expect(box.see(...joining)).toContain("both changed goal");
    box.run(["goal", "Before"]);
    expect(box.see(...joining)).toContain("main is joined with the line from mirror.");
    expect(box.see("trails")).not.toMatch(/^..main@mirror/m);
    expect(box.see(...joining)).toContain("This project has no remote yet.");
  });

  it("brings no trail of governance into another store", () => {
    box.write("cairn.yaml", "governance: on\n");
    box.run(["now", "--notes", "Before"]);
    expect(box.run(["mirror"], { env: { CHECKPOINT_AGENT: "new" } }).status).toBe(4);
    mkdirSync(join(box.home, ".config", "cairn"), { recursive: true });
    writeFileSync(join(box.home, ".config", "cairn", "config.yaml"), "mirror: true\n");
    box.run(["now", "--notes", "mirrored"]);
    expect(box.see("trails")).toContain("cairn/governance");
    clean();
    box.write("cairn.yaml", "");
    box.run(["now", "--notes", "After"]);
    expect(box.see("mirror", "restore")).toContain("Brought back 1 trail,");
    expect(box.see("trails")).not.toContain("cairn/");
    expect(box.see("status")).not.toContain("An earlier store");
  });

  it("is not replaced by the copy of a store that was damaged", async () => {
    box.run(["goal", "Good"]);
    box.run(["mirror"]);
    const store = new DatabaseSync(join(box.folder, ".cairn", "store.sqlite"));
    // Swept, so that it has to be copied as a whole.
    store.exec("UPDATE objects SET data = x'2a' WHERE base IS NULL; UPDATE counters SET sweeps = sweeps + 1");
    store.close();
    expect(box.see("mirror")).toContain("The mirror was not changed. The store itself is damaged");
    const [name = "", ...others] = names();
    expect(others).toEqual([]);
    expect(readdirSync(join(data(), name)).filter((file) => file.startsWith("."))).toEqual([]);
    const mirror = await openSqliteStore({ path: join(data(), name, "store.sqlite"), readOnly: true });
    expect(await mirror.verify()).toMatchObject({ damage: [], checkpoints: 1 });
    await mirror.close();
  });

  it("follows a project that moves, and outlives a worktree that is removed", () => {
    box.run(["goal", "In a worktree"]);
    box.run(["mirror"]);
    const moved = join(box.home, "moved");
    renameSync(box.folder, moved);
    box.run(["next", "Go on"], { cwd: moved });
    expect(names()).toHaveLength(1);
    rmSync(moved, { recursive: true });
    mkdirSync(box.folder);
    box.run(["goal", "Elsewhere"]);
    expect(seen(box.see("mirror", "list"))).toContain("its store is gone");
    const [name = ""] = names();
    box.run(["mirror", "restore", name.slice(0, 6)]);
    expect(JSON.parse(box.see("load", "--trail", "main@mirror", "--json"))).toMatchObject({
      goal: "In a worktree",
      next_action: "Go on",
    });
  });

  it("is current within a second of a commit, while a process stays", async () => {
    box.run(["goal", "Start"]);
    box.run(["mirror"]);
    // One second by the timers of the process; what they set off then takes as long as it takes.
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const open = project();
    try {
      for (let i = 0; i < 20; i++) await now(open, { variables: { i: String(i) } });
      expect((await mirrorLag(open))?.commits).toBeGreaterThan(0);
      vi.advanceTimersByTime(1000);
      for (let turns = 0; turns < 10_000 && (await mirrorLag(open))?.commits !== 0; turns++) await turn();
      expect((await mirrorLag(open))?.commits).toBe(0);
    } finally {
      vi.useRealTimers();
      await open.stores.close();
    }
  });

  const UNTIL_GO = "while [ ! -e go ]; do sleep 0.05; done";
  it.each([
    ["watch", ["watch", "--every", "1h"]],
    ["run", ["run", "slow.yaml"]],
    ["page", ["ui", "--json"]],
  ])("is kept by a %s, whoever commits", async (_name, args) => {
    box.write("slow.yaml", JSON.stringify({ name: "slow", steps: [{ id: "wait", run: UNTIL_GO }] }));
    box.run(["goal", "Start"]);
    box.run(["mirror"]);
    const staying = box.start(args);
    // Without a mirror of its own, so nobody but the process that stays can bring it there.
    const cairn = await openCairn({ path: join(box.folder, ".cairn") });
    const folder = join(data(), names()[0] ?? "");
    const watcher = watch(folder);
    try {
      expect(await mirroredHead(folder)).toBeUndefined();
      const changes = on(watcher, "change", { signal: AbortSignal.timeout(60_000) });
      const head = (await cairn.trail<object>("other", { initial: {} }).commit({ n: 1 })).content_hash;
      do await changes.next();
      while ((await mirroredHead(folder)) !== head);
      expect(await mirroredHead(folder)).toBe(head);
    } finally {
      watcher.close();
      writeFileSync(join(box.folder, "go"), "");
      await cairn.close();
      staying.child.kill("SIGINT");
      await staying.ended;
    }
  });

  /** Where the mirror has the trail `other`. */
  async function mirroredHead(folder: string) {
    const mirror = await openSqliteStore({ path: join(folder, "store.sqlite"), readOnly: true });
    try {
      return await mirror.head("other");
    } finally {
      await mirror.close();
    }
  }

  it("keeps two copies of one store apart", async () => {
    box.run(["goal", "One"]);
    box.run(["mirror"]);
    const { cpSync } = await import("node:fs");
    const copy = join(box.home, "copy");
    cpSync(box.folder, copy, { recursive: true });
    box.run(["goal", "Two, here"]);
    box.run(["goal", "Two, in the copy"], { cwd: copy });
    box.run(["goal", "Three, here"]);
    expect(names().toSorted()).toHaveLength(2);
    for (const path of [box.folder, copy]) {
      const open = project(path);
      expect((await mirrorLag(open))?.commits).toBe(0);
      await open.stores.close();
    }
  });

  it("never follows a link, and never keeps a save from succeeding", () => {
    box.run(["goal", "One"]);
    box.run(["mirror"]);
    const [name = ""] = names();
    const elsewhere = join(box.home, "elsewhere");
    renameSync(join(data(), name, "store.sqlite"), elsewhere);
    symlinkSync(elsewhere, join(data(), name, "store.sqlite"));
    const { size, mtimeMs } = statSync(elsewhere);
    const ran = box.run(["goal", "Two"]);
    expect(ran.status).toBe(0);
    expect(ran.stderr).toContain("The mirror was not updated");
    expect(statSync(elsewhere)).toMatchObject({ size, mtimeMs });
  });

  it("is a state that the store was in, at whatever moment the writer is killed", async () => {
    box.run(["goal", "Start"]);
    box.run(["mirror"]);
    const [name = ""] = names();
    let kills = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const running = box.start(["watch", "--every", "1s"]);
      const saves = Array.from({ length: 3 }, (_, index) => box.start(["goal", `Goal ${round} ${index}`]));
      await wait(150 + 90 * (round % 10));
      for (const { child } of [running, ...saves]) if (child.kill("SIGKILL")) kills += 1;
      await Promise.all([running, ...saves].map(({ ended }) => ended));
      const mirror = await openSqliteStore({ path: join(data(), name, "store.sqlite"), readOnly: true });
      expect((await mirror.verify()).damage).toEqual([]);
      const head = await mirror.head("main");
      await mirror.close();
      const store = await openSqliteStore({
        path: join(box.folder, ".cairn", "store.sqlite"),
        readOnly: true,
      });
      expect(await store.find({ trail: "main", idPrefix: head! })).toHaveLength(1);
      await store.close();
    }
    box.run(["list"]);
    const open = project();
    expect((await mirrorLag(open))?.commits).toBe(0);
    await open.stores.close();
    expect(kills).toBeGreaterThanOrEqual(ROUNDS);
    report(`${kills} kills: 0 damaged mirrors, each a state that the store was in`);
  });
});
