import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import type { JsonObject } from "../../src/core/objects/json.ts";
import { openCairn } from "../../src/work/state/cairn.ts";
import { Sandbox } from "./support/sandbox.ts";

const HOSTILE = "red \u{1b}[31m and \u{202e}reversed\u{9b}2J\u{7}";

/** What a program may commit through the library: nearly nothing in it has the form of its field. */
const STATE: JsonObject = {
  goal: 42,
  success_criteria: ["green", null],
  next_action: { text: HOSTILE },
  constraints: ["be kind", null, { what: HOSTILE }],
  decisions: ["go", { what: "stay", why: 3 }],
  blockers: [{ text: "the network" }, 7],
  phase: { name: HOSTILE, status: HOSTILE },
  phases_completed: [1, null, HOSTILE],
  tasks: [
    null,
    "no task",
    { subject: "no id" },
    { id: 7, subject: "seven" },
    { id: "8", subject: HOSTILE, status: HOSTILE, owner: HOSTILE, blocked_by: [7, null] },
  ],
  active_task_id: 7,
  dependencies: [null, { status: "down" }, { name: "db", status: HOSTILE }],
  variables: [1],
  recent_outputs: [null, { type: HOSTILE, success: true }],
  files_touched: [3, HOSTILE],
  commands: ["x", { argv: [HOSTILE] }],
  checks_failing: "tests",
  subagents: [null, { id: HOSTILE }],
  workspace: { branch: HOSTILE },
  approvals_pending: [{ question: HOSTILE, options: [1, {}] }, null],
  run: "none",
  session: 5,
  activity: [],
  imported_texts: "all",
  imported: null,
  mine: { [HOSTILE]: HOSTILE },
};

let box: Sandbox;

beforeAll(async () => {
  box = new Sandbox();
  const cairn = await openCairn({ path: join(box.folder, ".cairn") });
  await cairn.trail<JsonObject>("main", { initial: {} }).commit(STATE);
  // To change the work, lists must be lists and maps be maps: else it is no work state.
  const changeable = { ...STATE, variables: {}, checks_failing: [] };
  await cairn.trail<JsonObject>("session/odd", { initial: {} }).commit(changeable);
  await cairn.close();
});

afterAll(() => box.remove());

describe("a state that is not in our form", () => {
  it.each([
    ["load"],
    ["status"],
    ["summary"],
    ["log"],
    ["goal"],
    ["next"],
    ["task", "list", "--all"],
    ["constraint", "list"],
    ["decision", "list"],
    ["sessions", "--all"],
  ])("is shown without a fault and without a raw character: %s", (...args) => {
    const { stdout, stderr, status } = box.run(args);
    expect({ status, unsafe: unsafe(stdout + stderr) }).toEqual({ status: 0, unsafe: [] });
  });

  it("is offered as unfinished work, without a raw character", () => {
    const { stderr, status } = box.run(["resume"]);
    expect({ status, unsafe: unsafe(stderr) }).toEqual({ status: 6, unsafe: [] });
    expect(stderr).toContain("session/odd");
  });

  it("is printed exactly as it was committed by --json", () => {
    expect(box.json("load")).toMatchObject(STATE);
  });

  it("shows what its fields hold besides, and what has another form", () => {
    const shown = box.run(["load"]).stdout;
    expect(shown).toMatch(/^Rules +be kind\n +null\n/m);
    expect(shown).toMatch(/^ +variables: \[1\]$/m);
    expect(shown).toMatch(/^ +checks_failing: "tests"$/m);
    expect(shown).toContain("[ ] 7  seven");
  });

  it.each([
    [["task", "start", "7"], "Task 7 started: seven"],
    [["task", "done", "7"], "Task 7 done: seven"],
    [["task", "add", "New"], "Task 9 added: New"],
    [["constraint", "edit", "1", "be kinder"], "Rule 1: be kinder"],
    [["constraint", "remove", "2"], "Removed: null"],
    [["decision", "edit", "go", "--why", "why not"], "Decision 1: go (why not)"],
    [["unblock", "2"], "No longer blocked by: 7"],
    [["phase", "complete"], "Completed phase"],
    [["now"], "ckpt-"],
  ])("can be worked on: %j", (args, words) => {
    const { stdout, stderr, status } = box.run([...args, "--trail", "session/odd"]);
    expect({ status, stderr: status === 0 ? "" : stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toContain(words);
    expect(unsafe(stdout + stderr)).toEqual([]);
  });

  it("is refused in words where a list is none", () => {
    expect(box.run(["set", "a", "1"])).toEqual({
      status: 2,
      stdout: "",
      stderr:
        'error: Trail "main" holds no work state: its "variables" is something else.\nhint: Choose another trail: checkpoint list --all\n',
    });
  });

  it("keeps what has another form through all of this", () => {
    const { tasks, mine, next_action } = box.json("load", "--trail", "session/odd");
    expect(tasks).toEqual(expect.arrayContaining([null, "no task", { subject: "no id" }]));
    expect({ mine, next_action }).toEqual({ mine: STATE.mine, next_action: STATE.next_action });
  });
});

function unsafe(text: string): string[] {
  const isUnsafe = (code: number) =>
    (code < 0x20 && code !== 0x0a) || (code >= 0x7f && code < 0xa0) || code === 0x202e;
  return text
    .split("\n")
    .filter((line) => Array.from(line).some((letter) => isUnsafe(letter.codePointAt(0) ?? 0)));
}
