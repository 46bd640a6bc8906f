import { spawnSync } from "node:child_process";
import {
  chownSync,
  cpSync,
  existsSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { Sandbox } from "../cli/support/sandbox.ts";
import { hardLinkTo, type Kind, KINDS, plant, prepare, whatIsIn } from "./support/planted-links.ts";
import { report, scaled, TIMEOUT_MS } from "./support/scale.ts";

/** What the program is asked to do, each in a project that has a store and a run that waits. */
const COMMANDS: Record<string, { readonly args: readonly string[]; readonly input?: string }> = {
  now: { args: ["now", "--notes", "more"] },
  goal: { args: ["goal", "Ship it"] },
  hook: {
    args: ["hook"],
    input: JSON.stringify({
      session_id: "0b6a9f0e-6f6d-4a5c-9d0e-0123456789ab",
      hook_event_name: "UserPromptSubmit",
      prompt: "Build it",
      cwd: "PROJECT",
    }),
  },
  "a broken hook": { args: ["hook"], input: "{" },
  run: { args: ["run", "flow.yaml", "--run-id", "planted", "--fresh"] },
  template: { args: ["run", "--template", "eight-agents", "--run-id", "planted"] },
  approve: { args: ["approve", "waits"] },
  resume: { args: ["resume", "ready", "--yes", "--trust"] },
  cancel: { args: ["cancel", "ready"] },
  archive: { args: ["archive", "ready"] },
  clean: { args: ["clean", "--max-age-days", "0", "--status", "awaiting_approval", "--yes"] },
  progress: { args: ["progress", "note", "--feature", "login", "--agent", "ada", "did it"] },
  init: { args: ["init"] },
  agents: { args: ["init", "--client", "agents-md", "--yes"] },
  prune: { args: ["prune", "--keep", "1"] },
  export: { args: ["export", "--history", "--output", "out.cairn"] },
  doctor: { args: ["doctor", "--accept-loss"] },
  verify: { args: ["verify"] },
  mcp: { args: ["mcp"] },
};

/** These stop at a question. */
const WAIT = new Set(["run", "template"]);

const SAVING = ["now", "goal", "hook", "prune", "doctor", "run", "mcp"];
const RUNNING = ["run", "resume", "cancel", "archive", "clean"];
const RUN_PARTS = ["", "lock-1", "lock-2", "steps", "steps/work@1", "steps/work@2", "steps/late@1"];
const ATTEMPT_PARTS = ["output", "started", "result.json", "results.json", "handoff.md", "verify.log"];

/** Every path that is written, with the commands that may write it. */
const PATHS: Record<string, readonly string[]> = {
  ".cairn": Object.keys(COMMANDS),
  ...named([".cairn/store.sqlite", ".cairn/store.sqlite-wal", ".cairn/store.sqlite-shm"], SAVING),
  ...named([".cairn/store.sqlite-mark", ".cairn/store.sqlite-journal"], SAVING),
  ".cairn/.gitignore": ["now", "init"],
  ...named([".cairn/hooks.log", ".cairn/hooks.log.old", ".cairn/clients.log"], ["hook", "a broken hook"]),
  ".cairn/events.sock": ["hook"],
  ...named([".cairn/runs", ".cairn/archive", ".cairn/reports"], RUNNING),
  ...named(
    RUN_PARTS.map((part) => join(".cairn/runs/planted", part)),
    ["run"],
  ),
  ...named(
    ATTEMPT_PARTS.map((part) => join(".cairn/runs/planted/steps/work@1", part)),
    ["run"],
  ),
  ...named(
    RUN_PARTS.map((part) => join(".cairn/runs/waits", part)),
    ["approve", "archive", "clean"],
  ),
  ...named(
    ATTEMPT_PARTS.map((part) => join(".cairn/runs/waits/steps/late@1", part)),
    ["approve"],
  ),
  ...named([".cairn/templates", ".cairn/templates/eight-agents"], ["template"]),
  ...named(
    ["workflow.yaml", "agent.sh"].map((file) => `.cairn/templates/eight-agents/${file}`),
    ["template"],
  ),
  ...named(["docs", "docs/progress", "docs/progress/login-ada.md"], ["progress"]),
  "out.cairn": ["export"],
  "cairn.yaml": ["init", "now"],
  "AGENTS.md": ["agents"],
};

function named(paths: readonly string[], commands: readonly string[]): Record<string, readonly string[]> {
  return Object.fromEntries(paths.map((path) => [path, commands]));
}

interface Case {
  readonly path: string;
  readonly kind: Kind;
  readonly command: string;
}

const CASES: readonly Case[] = Object.entries(PATHS).flatMap(([path, commands]) =>
  commands.flatMap((command) => KINDS.map((kind) => ({ path, kind, command }))),
);

/** These led out once, so a short run takes them too. */
const ESCAPED_ONCE = ["mcp hard .cairn/store.sqlite-shm", "run folder .cairn/runs/planted/steps"];

const made: string[] = [];
let base: string;

beforeAll(() => {
  const box = new Sandbox();
  made.push(box.home);
  base = box.home;
  prepare(box);
});

afterAll(() => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
});

describe("a link at a path that is written", () => {
  it(
    "leads no command out of the project",
    () => {
      const every = Math.ceil(CASES.length / scaled(30, Infinity)) || 1;
      const cases = CASES.filter(
        ({ command, kind, path }, index) =>
          index % every === 0 || ESCAPED_ONCE.includes(`${command} ${kind} ${path}`),
      );
      const escaped: unknown[] = [];
      for (const each of cases) {
        const box = new Sandbox();
        made.push(box.home);
        cpSync(base, box.home, { recursive: true });
        const outside = realpathSync(mkdtempSync(join(tmpdir(), "cairn-outside-")));
        made.push(outside);
        plant(join(box.folder, each.path), outside, each.kind);
        const before = whatIsIn(outside);
        const { args, input = "" } = COMMANDS[each.command] ?? { args: [] };
        const { status } = box.run(args, { input: input.replace("PROJECT", box.folder) });
        const after = whatIsIn(outside);
        if (JSON.stringify(after) !== JSON.stringify(before) || status === null || status > 8)
          escaped.push({ ...each, status, before, after });
        box.remove();
        rmSync(outside, { recursive: true });
      }
      expect(escaped).toEqual([]);
      report(`${cases.length} planted links at ${Object.keys(PATHS).length} paths: 0 escapes`);
    },
    TIMEOUT_MS,
  );

  it(
    "is no harm where it was not planted: each command does its work",
    () => {
      for (const [name, { args, input = "" }] of Object.entries(COMMANDS)) {
        const box = new Sandbox();
        made.push(box.home);
        cpSync(base, box.home, { recursive: true });
        const ran = box.run(args, { input: input.replace("PROJECT", box.folder) });
        expect({ name, ...ran }).toMatchObject({ status: WAIT.has(name) ? 4 : 0 });
      }
    },
    TIMEOUT_MS,
  );
});

describe("a second name of the store", () => {
  it("is refused, because SQLite would keep two logs for one file", () => {
    const box = new Sandbox();
    made.push(box.home);
    expect(box.run(["now"]).status).toBe(0);
    hardLinkTo(join(box.folder, ".cairn/store.sqlite"), join(box.home, "other.sqlite"));
    expect(box.see("now")).toMatchInlineSnapshot(`
      "! error: "PROJECT/.cairn/store.sqlite" has another name elsewhere (a hard link), so writing it would change that file too.
      ! hint: Put a copy in its place, or work in another folder.
      [exit 4]"
    `);
  });
});

describe.skipIf(process.platform === "win32")("a pipe instead of a file of the store", () => {
  it.each(["-mark", "-wal"])("is refused, not waited for: %s", async (ending) => {
    const box = new Sandbox();
    made.push(box.home);
    expect(box.run(["now"]).status).toBe(0);
    const path = join(box.folder, `.cairn/store.sqlite${ending}`);
    rmSync(path, { force: true });
    expect(spawnSync("mkfifo", [path]).status).toBe(0);
    const { child, ended } = box.start(["now"]);
    const limit = setTimeout(() => child.kill("SIGKILL"), 60_000);
    expect(await ended).toMatchObject({ status: 4, stderr: expect.stringContaining("not a file") });
    clearTimeout(limit);
  });
});

describe.skipIf(process.geteuid?.() !== 0)("a file of another user instead of one of the store's", () => {
  it.each(["", "-wal", "-mark"])("is refused, to write and to read: store.sqlite%s", (ending) => {
    const box = new Sandbox();
    made.push(box.home);
    expect(box.run(["now"]).status).toBe(0);
    const path = join(box.folder, `.cairn/store.sqlite${ending}`);
    writeFileSync(path, "", { flag: "a" });
    chownSync(path, 65_534, 65_534);
    for (const args of [["now"], ["list"]]) {
      const { status, stderr } = box.run(args);
      expect({ args, status, stderr }).toMatchObject({ status: 4 });
      expect(stderr).toContain("belongs to another user");
    }
  });
});

describe.skipIf(process.geteuid?.() !== 0)("the .cairn of another user", () => {
  it(
    "is left as it is",
    async () => {
      for (const [name, { args, input = "" }] of Object.entries(COMMANDS)) {
        const box = new Sandbox();
        made.push(box.home);
        cpSync(base, box.home, { recursive: true });
        const folder = join(box.folder, ".cairn");
        chownSync(folder, 65_534, 65_534);
        const before = whatIsIn(folder);
        const { status } = box.run(args, { input: input.replace("PROJECT", box.folder) });
        expect({ name, changed: JSON.stringify(whatIsIn(folder)) !== JSON.stringify(before) }).toEqual({
          name,
          changed: false,
        });
        expect(statSync(folder).uid).toBe(65_534);
        expect(existsSync(join(folder, "hooks.log"))).toBe(
          existsSync(join(base, "project/.cairn/hooks.log")),
        );
        expect(status).not.toBeNull();
      }
    },
    TIMEOUT_MS,
  );
});
