import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Sandbox } from "./support/sandbox.ts";

let box: Sandbox;
beforeEach(() => {
  box = new Sandbox();
});
afterEach(() => box.remove());

describe("checkpoint init", () => {
  it("creates the store and, if asked, a config to fill in; twice is as good as once", () => {
    // Nothing of it depends on which clients this machine has.
    const see = (...args: string[]) => box.asSeen(box.run(args, { env: { PATH: box.home } }));
    const init = ["init", "--client", "agents-md", "--yes", "--quiet"];
    expect(see(...init)).toMatchInlineSnapshot(`
      "PROJECT/.cairn: created; it keeps itself out of git
      AGENTS.md  PROJECT/AGENTS.md: done: ask agents to save
      ! warning: checkpoint is not on $PATH, where clients look for it: npm install --global cairn-checkpoint"
    `);
    expect(see(...init, "--config")).toMatchInlineSnapshot(`
      "PROJECT/.cairn: already there
      PROJECT/cairn.yaml: created; fill in what you need
      AGENTS.md  PROJECT/AGENTS.md: nothing to do
      ! warning: checkpoint is not on $PATH, where clients look for it: npm install --global cairn-checkpoint"
    `);
    expect(see(...init, "--config")).toMatchInlineSnapshot(`
      "PROJECT/.cairn: already there
      PROJECT/cairn.yaml: already there, left as it is
      AGENTS.md  PROJECT/AGENTS.md: nothing to do
      ! warning: checkpoint is not on $PATH, where clients look for it: npm install --global cairn-checkpoint"
    `);
    expect(box.run(["now"]).status).toBe(0);
  });

  it("writes a config whose comments are right: without them it is valid", () => {
    box.run(["init", "--config"]);
    const path = join(box.folder, "cairn.yaml");
    const text = readFileSync(path, "utf8");
    box.write("cairn.yaml", text.replaceAll(/^# (?=(?: |- |[a-z_]+:))/gm, ""));
    expect(box.json("config")["settings"]).toMatchObject({
      plan: "docs/plan.md",
      keep: 50,
      level: "compact",
      family: "claude",
    });
  });
});

describe("checkpoint doctor", () => {
  it("looks at everything, and says how to fix what is wrong", () => {
    const stable = (text: string) => text.replace(/Node .*/, "NODE").replaceAll(/[\d.]+ [kMGT]?B/g, "SIZE");
    // Nothing of it depends on which clients this machine has.
    const see = () => stable(box.asSeen(box.run(["doctor"], { env: { PATH: box.home } })));
    expect(see()).toMatchInlineSnapshot(`
      "ok    node       NODE
      note  folder     There is no PROJECT/.cairn yet.
                       try: checkpoint now
      note  store      No checkpoint has been saved yet.
                       try: checkpoint now
      ok    disk       SIZE free
      note  git        Not a git repository: branch, commit and files are not recorded.
      ok    config     no services declared in cairn.yaml"
    `);
    box.run(["now"]);
    chmodSync(join(box.folder, ".cairn"), 0o755);
    expect(see()).toMatchInlineSnapshot(`
      "ok    node       NODE
      warn  folder     Other users can read PROJECT/.cairn.
                       try: chmod 700 PROJECT/.cairn
      ok    store      1 trail, SIZE on disk; checkpoint verify checks every byte
      ok    durability durable: what was saved survives a crash and a power cut (write-ahead log, synchronous FULL)
      ok    clock      the newest checkpoint is from 1 min ago, on main
      note  hooks      No agent has saved here yet. Those that are set up do from their next session on.
      ok    disk       SIZE free
      note  git        Not a git repository: branch, commit and files are not recorded.
      ok    config     no services declared in cairn.yaml"
    `);
  });

  it("knows the agent clients, whether they save by themselves, and whether they find the command", () => {
    const env = { PATH: box.home, CODEX_HOME: join(box.home, ".codex") };
    const clients = () => {
      const { findings } = JSON.parse(box.run(["doctor", "--json"], { env }).stdout) as {
        findings: { name: string; level: string; remedy: string | null }[];
      };
      return findings
        .filter(({ name }) => /^(claude|codex|gemini|opencode|command)$/.test(name))
        .map(({ name, level, remedy }) => [name, level, remedy]);
    };
    expect(clients()).toEqual([]);
    mkdirSync(join(box.home, ".codex"));
    mkdirSync(join(box.home, ".claude"));
    box.run(["init", "--client", "claude", "--yes"], { env });
    expect(clients()).toEqual([
      ["claude", "ok", null],
      ["codex", "note", "checkpoint init --client codex"],
      ["command", "warning", "npm install --global cairn-checkpoint"],
    ]);
    writeFileSync(join(box.home, ".codex/hooks.json"), "{");
    expect(clients()[1]?.slice(0, 2)).toEqual(["codex", "problem"]);
    expect(box.run(["doctor"], { env }).status).toBe(1);
  });

  it("takes an installation without the plugin for what it is: something that one can live without", () => {
    const installed = join(box.home, "installed");
    const launcher =
      process.env["CAIRN_TEST_LAUNCHER"] ?? join(import.meta.dirname, "../../bin/checkpoint.js");
    const from = dirname(dirname(launcher));
    for (const name of ["bin", "dist/cli", "package.json"])
      cpSync(join(from, name), join(installed, name), { recursive: true });
    const { stdout, status } = spawnSync(process.execPath, [join(installed, "bin/checkpoint.js"), "doctor"], {
      cwd: box.folder,
      env: box.environment(),
      encoding: "utf8",
    });
    expect(stdout).toMatch(/^note +plugin +The plugin is missing from this installation\.$/m);
    expect(status).toBe(0);
  });

  it("fails when something is broken", () => {
    box.write("cairn.yaml", "keep: [\n");
    box.write(".cairn/store.sqlite", "not a database".repeat(100));
    const { ok, problems, findings } = box.json("doctor");
    expect({ ok, problems }).toEqual({ ok: false, problems: 2 });
    expect(findings).toContainEqual(expect.objectContaining({ name: "config", level: "problem" }));
    expect(box.run(["doctor"]).status).toBe(1);
  });
});

describe("checkpoint help", () => {
  it("shows the first commands when nothing is typed, and how to begin", () => {
    expect(box.see()).toMatchSnapshot();
    expect(box.see()).toContain("Nothing is saved in this folder yet. To begin: checkpoint init");
    expect(box.see("--help")).toBe(box.see());
    expect(box.see("help")).toBe(box.see());
    expect(existsSync(join(box.folder, ".cairn"))).toBe(false);
  });

  it("shows where the work stands above them, in at most 35 lines", () => {
    box.run(["goal", `Ship the login page ${"and more ".repeat(20)}`]);
    box.run(["phase", "start", "Build"]);
    box.run(["task", "add", "Write the test"]);
    box.run(["next", "Write the test of the callback"]);
    const screen = box.see();
    expect(screen).toMatchSnapshot();
    expect(screen.split("\n").length).toBeLessThanOrEqual(35);
  });

  it("works where the store cannot be read, and says why", () => {
    box.write(".cairn/store.sqlite", "not a database".repeat(100));
    const { status, stdout } = box.run([]);
    expect(status).toBe(0);
    expect(stdout).toContain("This folder's checkpoints cannot be read:");
    expect(stdout).toContain("checkpoint doctor");
  });

  it("shows all commands when asked", () => {
    expect(box.see("help", "--all")).toMatchSnapshot();
  });

  it("comes as JSON too: of a command, of all, and of a topic", () => {
    const run = box.json("run", "--help");
    expect(run).toEqual(box.json("help", "run"));
    expect(run).toMatchObject({ schema: "cairn/help@1", topic: "run" });
    expect(run["text"]).toBe(box.run(["run", "--help"]).stdout);
    const all = box.json("--help");
    expect(all).toEqual(box.json());
    expect(all).toMatchObject({ topic: null, text: expect.stringContaining("checkpoint help --all") });
    expect(box.json("help", "exit-codes")).toMatchObject({ topic: "exit-codes" });
  });

  it("shows examples first", () => {
    expect(box.see("now", "--help")).toMatchSnapshot();
    expect(box.see("help", "now")).toBe(box.see("now", "-h"));
    expect(box.see("help", "task")).toMatchInlineSnapshot(`
      "  task add     Add a task
        task start   Start a task: it becomes the active one
        task done    Finish a task
        task block   Mark a task as waiting
        task rename  Reword the subject of a task
        task cancel  Cancel a task
        task list    List the tasks

      checkpoint task add --help shows examples and options."
    `);
  });

  it.each(["exit-codes", "environment", "format", "governance"])("explains %s", (topic) => {
    expect(box.see("help", topic)).toMatchSnapshot();
  });

  it("prints nothing wider than 110 columns", () => {
    const { stdout } = box.run(["help", "--all"]);
    const names = [...stdout.matchAll(/^ {2}([a-z]+(?: [a-z]+)?) {2,}[A-Z]/gm)].map(([, name]) =>
      (name ?? "").split(" "),
    );
    expect(names.length).toBeGreaterThan(30);
    const texts = [stdout, box.run(["help", "format"]).stdout, box.run(["help", "environment"]).stdout];
    for (const text of texts) expect(text.split("\n").filter((line) => line.length > 110)).toEqual([]);
  });

  it("tells its version", () => {
    const { version } = JSON.parse(readFileSync(join(import.meta.dirname, "../../package.json"), "utf8")) as {
      version: string;
    };
    expect(box.see("--version")).toBe(version);
    expect(box.json("--version")).toEqual({ schema: "cairn/version@1", version });
  });
});

describe("checkpoint completion", () => {
  const isHere = (shell: string) => spawnSync(shell, ["-c", ":"]).error === undefined;

  for (const shell of ["bash", "zsh", "fish"]) {
    it.skipIf(!isHere(shell))(`for ${shell} is a script that the shell accepts`, () => {
      const { stdout, status } = box.run(["completion", shell]);
      expect(status).toBe(0);
      box.write("script", stdout);
      const { stderr } = spawnSync(shell, ["-n", join(box.folder, "script")], { encoding: "utf8" });
      expect(stderr).toBe("");
    });
  }
});
