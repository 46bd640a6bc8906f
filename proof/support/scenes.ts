import { spawnSync } from "node:child_process";
import { copyFileSync, cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "../..");
const LAUNCHER = join(root, "bin/checkpoint.js");

/** A command, and the project that it is run in. */
export interface Scene {
  readonly name: string;
  readonly args: readonly string[];
  /** How it ends undisturbed. */
  readonly status: number;
  /** How it may end when it is repeated after it was done, or half done. */
  readonly again: readonly number[];
  /** What must be shown, and by which command, once it ended as if undisturbed. */
  readonly then: readonly [shows: RegExp, ...command: string[]];
  /** What was done in the project before: each with its status. */
  readonly before: readonly (readonly [number, ...string[]])[];
  /** Whether the log of the last writer is left behind, as after a crash. */
  readonly leavesLog?: boolean;
  /** A store of an older format to begin with. */
  readonly oldStore?: string;
}

const FLOW =
  "name: flow\nsteps:\n  - id: work\n    run: echo done\n  - id: ask\n    needs: [work]\n    approve: Go on?\n  - id: late\n    needs: [ask]\n    run: echo later\n";

const SAVED = [
  [0, "now", "--notes", "first"],
  [0, "goal", "Ship it"],
  [0, "now", "--notes", "second"],
] as const;
const WAITING = [...SAVED, [4, "run", "flow.yaml", "--run-id", "waits"]] as const;

export const SCENES: readonly Scene[] = [
  { name: "first use", args: ["now"], status: 0, again: [0], then: [/ckpt-/, "list"], before: [] },
  {
    name: "import",
    args: ["import", "../main.cairn", "--as", "again"],
    status: 0,
    again: [0, 6],
    then: [/second/, "list", "--trail", "again"],
    before: SAVED,
  },
  {
    name: "recovery",
    args: ["now", "--notes", "third"],
    status: 0,
    again: [0],
    then: [/third[^]*in the log[^]*first/, "list"],
    before: SAVED,
    leavesLog: true,
  },
  {
    name: "upgrade",
    args: ["doctor"],
    status: 0,
    again: [0],
    then: [/ckpt-/, "list"],
    before: [],
    oldStore: "tests/old-stores/format-1.sqlite",
  },
  {
    name: "upgrade of format 2",
    args: ["doctor"],
    status: 0,
    again: [0],
    then: [/ckpt-/, "list"],
    before: [],
    oldStore: "tests/old-stores/format-2.sqlite",
  },
  {
    name: "backup",
    args: ["backup", "copy.backup"],
    status: 0,
    again: [0, 2, 6],
    then: [/3 checkpoints/, "-C", "../restored", "backup", "restore", "../project/copy.backup"],
    before: SAVED,
  },
  {
    name: "now",
    args: ["now", "--notes", "third"],
    status: 0,
    again: [0],
    then: [/third/, "list"],
    before: SAVED,
  },
  { name: "undo", args: ["undo"], status: 0, again: [0], then: [/undo/, "list"], before: SAVED },
  {
    name: "fork",
    args: ["fork", "--as", "side"],
    status: 0,
    again: [0, 6],
    then: [/fork/, "list", "--trail", "side"],
    before: SAVED,
  },
  {
    name: "cancel",
    args: ["cancel", "waits"],
    status: 0,
    again: [0, 2, 6],
    then: [/cancelled/, "runs", "show", "waits"],
    before: WAITING,
  },
  {
    name: "prune",
    args: ["prune", "--keep", "1"],
    status: 0,
    again: [0],
    then: [/^ckpt-\S+ [^\n]*second\s*$/, "list"],
    before: SAVED,
  },
  {
    name: "run",
    args: ["run", "flow.yaml", "--run-id", "new"],
    status: 4,
    again: [0, 2, 4, 6],
    then: [/awaiting approval/, "runs", "show", "new"],
    before: SAVED,
  },
  {
    name: "approve",
    args: ["approve", "waits"],
    status: 0,
    again: [0, 3, 4, 6],
    then: [/\[x\] ask/, "runs", "show", "waits"],
    before: WAITING,
  },
  {
    name: "resume",
    args: ["resume", "waits", "--yes", "--trust"],
    status: 0,
    again: [0, 2, 6],
    then: [/completed/, "runs", "show", "waits"],
    before: [...WAITING, [0, "approve", "waits"]],
  },
];

/** Where a scene's project is, always at the same path: system calls are told apart by path. */
export class Stage {
  readonly project: string;
  readonly #base: string;
  readonly #home: string;
  readonly #restored: string;

  constructor(folder: string, { before, leavesLog = false, oldStore }: Scene) {
    this.project = join(folder, "project");
    this.#base = join(folder, "base");
    this.#home = join(folder, "home");
    this.#restored = join(folder, "restored");
    mkdirSync(this.project, { recursive: true });
    mkdirSync(this.#home, { recursive: true });
    writeFileSync(join(this.project, "flow.yaml"), FLOW);
    if (oldStore !== undefined) {
      mkdirSync(join(this.project, ".cairn"), { mode: 0o700 });
      copyFileSync(join(root, oldStore), join(this.project, ".cairn/store.sqlite"));
    }
    for (const [expected, ...args] of before) {
      const { status, stderr } = this.run(args);
      if (status !== expected) throw new Error(`${args.join(" ")} ended with ${status}: ${stderr}`);
    }
    if (before.length > 0) {
      const exported = this.run(["export", "--history", "--output", "../main.cairn"]);
      if (exported.status !== 0) throw new Error(exported.stderr);
    }
    if (leavesLog) this.#leaveLog();
    cpSync(this.project, this.#base, { recursive: true, preserveTimestamps: true });
  }

  /** A reader that is open keeps the next writer from moving the log into the main file when it closes. */
  #leaveLog(): void {
    const script = `const { DatabaseSync } = require("node:sqlite"); const { execFileSync } = require("node:child_process");
      const db = new DatabaseSync(process.argv[1], { readOnly: true }); db.prepare("SELECT count(*) FROM sqlite_master").get();
      execFileSync(process.execPath, [process.argv[2], "now", "--notes", "in the log"]); process.kill(process.pid, "SIGKILL");`;
    const store = join(this.project, ".cairn/store.sqlite");
    spawnSync(process.execPath, ["-e", script, store, LAUNCHER], { cwd: this.project, env: this.#env() });
  }

  #env(): Record<string, string | undefined> {
    return { PATH: process.env["PATH"], HOME: this.#home, NO_COLOR: "1" };
  }

  reset(): void {
    for (const folder of [this.project, this.#restored]) rmSync(folder, { recursive: true, force: true });
    mkdirSync(this.#restored);
    cpSync(this.#base, this.project, { recursive: true, preserveTimestamps: true });
  }

  run(args: readonly string[], wrapper: readonly string[] = []) {
    const [program = "", ...rest] = [...wrapper, process.execPath, LAUNCHER, ...args];
    const { status, signal, stdout, stderr } = spawnSync(program, rest, {
      cwd: this.project,
      env: this.#env(),
      encoding: "utf8",
      input: "",
      timeout: 60_000,
      killSignal: "SIGKILL",
    });
    return { status, signal, stdout, stderr };
  }
}
