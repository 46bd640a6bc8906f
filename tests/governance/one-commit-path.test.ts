import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { Cairn, openCairn } from "../../src/work/state/cairn.ts";
import { defineWorkflow, openWorkflows } from "../../src/doors/library/workflow/index.ts";
import {
  agentRevoke,
  agentShow,
  goal,
  ledger,
  list,
  now,
  openProject,
  taskAdd,
  verify,
} from "../../src/doors/library/project.ts";
import { openSqliteStore } from "../../src/core/store/sqlite.ts";
import { Sandbox } from "../cli/support/sandbox.ts";
import { Governed, refusedWith } from "./support/governed.ts";

let box: Governed;
beforeEach(() => {
  box = new Governed();
});
afterEach(() => box.remove());
afterAll(() => CLI.remove());

const CLI = new Sandbox();
/** Sends an event as an agent client does, by a process of its own. */
function hook(event: Record<string, unknown>, env: Record<string, string> = { CHECKPOINT_AGENT: "bot" }) {
  const whole = { session_id: "s1", cwd: box.folder, ...event };
  return CLI.run(["hook"], {
    cwd: box.folder,
    env: { HOME: box.home, ...env },
    input: JSON.stringify(whole),
  });
}
let calls = 0;
const prompt = (text: string) => hook({ hook_event_name: "UserPromptSubmit", prompt: text });
const tool = (name: string, input: object) =>
  hook({
    hook_event_name: "PostToolUse",
    tool_name: name,
    tool_use_id: `toolu_${calls++}`,
    tool_input: input,
    tool_response: {},
  });
const todo = (content: string, status = "completed") => tool("TodoWrite", { todos: [{ content, status }] });
const edit = (path: string) => tool("Edit", { file_path: join(box.folder, path) });

const entries = async () =>
  (await ledger(box.as(), {})).map(({ entry: { type, agent, action, rule } }) => [
    type,
    agent,
    action ?? rule,
  ]);
/** For the work: who keeps files has an entry beside. */
const captured = async () =>
  (await ledger(box.as(), {}))
    .filter(
      ({ entry: { action, trail } }) =>
        action === "session.capture" && (trail as string).startsWith("session/"),
    )
    .map(({ entry: { type, agent, action } }) => [type, agent, action]);
const heads = async (trail: string) => (await list(box.as(), { trail })).checkpoints;

describe("what hooks save", () => {
  it("is an action of its own, one entry a turn, with the agent and its tier on every checkpoint", async () => {
    expect(await refusedWith(() => taskAdd(box.as("bot"), { subject: "x" }))).toBe("refused");
    prompt("Build it");
    todo("Done without asking");
    for (const path of ["a", "b", "c"]) edit(path);
    hook({ hook_event_name: "Stop" });
    expect(await captured()).toEqual([["action", "bot", "session.capture"]]);
    prompt("And now the rest");
    edit("d");
    expect(await captured()).toHaveLength(2);
    await box.close();
    const found = await heads("session/s1");
    expect(found.length).toBeGreaterThan(6);
    expect(new Set(found.map(({ agent_id, agent_tier }) => `${agent_id} ${agent_tier}`))).toEqual(
      new Set(["bot 0"]),
    );
    expect((await verify(box.as(), {})).unrecorded).toEqual([]);
  });

  it("is the client's, where no other agent is named, and earns it nothing", async () => {
    for (let turn = 0; turn < 12; turn++)
      hook({ hook_event_name: "UserPromptSubmit", prompt: `Turn ${turn}` }, {});
    await box.close();
    expect(await agentShow(box.as(), "claude-code")).toMatchObject({
      tier: 0,
      // Twelve turns, and one for who keeps the files.
      actions: 13,
      clean_actions: 0,
    });
    const [newest] = await heads("session/s1");
    expect(newest).toMatchObject({ agent_id: "claude-code", agent_tier: 0 });
  });

  it("marks its tasks as captured", async () => {
    prompt("Build it");
    todo("Begun without asking", "in_progress");
    const shown = CLI.run(["task", "list", "--trail", "session/s1"], {
      cwd: box.folder,
      env: { HOME: box.home },
    });
    expect(shown.stdout).toMatch(/Begun without asking.*captured/);
    expect((await entries()).filter(([type]) => type === "task")).toEqual([]);
  });

  it("is refused for a revoked agent, in the middle of a turn", async () => {
    prompt("Build it");
    await agentRevoke(box.as(), { agent: "bot", reason: "test" });
    await box.close();
    const before = await heads("session/s1");
    expect(edit("a").status).toBe(0);
    await box.close();
    expect(await heads("session/s1")).toEqual(before);
  });

  it("has an entry for what a sub-agent saves first, and none for what it saves in the turn", async () => {
    prompt("Build it");
    hook({
      hook_event_name: "PostToolUse",
      agent_id: "sub1",
      agent_type: "Explore",
      tool_name: "Edit",
      tool_input: { file_path: join(box.folder, "x") },
      tool_response: {},
    });
    expect(await captured()).toHaveLength(1);
    await box.close();
    expect(await heads("session/s1/agent/sub1")).toHaveLength(1);
    expect((await verify(box.as(), {})).unrecorded).toEqual([]);
  });
});

describe("a governed store", () => {
  const path = () => join(box.folder, ".cairn");

  it("is read by openCairn, which does not write to it", async () => {
    await now(box.as("bot"), { notes: "governed" });
    const cairn = await openCairn({ path: path() });
    expect((await cairn.trail("main").load()).notes).toBe("governed");
    const { content_hash } = await cairn.trail("main").load();
    for (const write of [
      () => cairn.trail("main").commit((state) => void (state.goal = "past the gate")),
      () => cairn.trail("main").fork("other"),
      () => cairn.store.attach(content_hash, new Map([["x", new Uint8Array()]])),
      () => cairn.store.remove({ trails: ["main"] }),
    ])
      await expect(write()).rejects.toMatchObject({
        code: "refused",
        message: "This store is governed: openCairn only reads it.",
      });
    await cairn.close();
  });

  it("refuses a handle that was open before governance began", async () => {
    writeFileSync(join(box.folder, "cairn.yaml"), "");
    const cairn = await openCairn({ path: path() });
    await cairn.trail("main").commit((state) => void (state.goal = "before"));
    writeFileSync(join(box.folder, "cairn.yaml"), "governance: on\n");
    await now(box.as("bot"), {});
    const late = cairn.trail("main").commit((state) => void (state.goal = "after"));
    await expect(late).rejects.toMatchObject({ code: "refused" });
    await cairn.close();
  });

  it("is written by a program through its project, with an entry", async () => {
    await now(box.as("bot"), {});
    const project = box.as("bot");
    const cairn = await project.stores.open(project, "write", "save");
    await cairn.trail("own").commit((state) => void (state.goal = "asked"));
    expect((await entries()).at(-1)).toEqual(["action", "bot", "save"]);
  });

  it("has every checkpoint named that no entry covers, since governance began", async () => {
    writeFileSync(join(box.folder, "cairn.yaml"), "");
    await goal(box.as(), { goal: "before" });
    await box.close();
    writeFileSync(join(box.folder, "cairn.yaml"), "governance: on\n");
    await now(box.as("bot"), {});
    prompt("Build it");
    await box.close();
    // As an older version did, or a program of somebody's own.
    const plain = new Cairn(await openSqliteStore({ path: join(path(), "store.sqlite") }), () => new Date());
    for (const trail of ["main", "session/s1"])
      await plain.trail(trail).commit((state) => void (state.goal = "past the gate"));
    await plain.close();
    const { unrecorded } = await verify(box.as(), {});
    expect(unrecorded.map(({ trail }) => trail)).toEqual(["main", "session/s1"]);
    const ran = CLI.run(["verify"], { cwd: box.folder, env: { HOME: box.home } });
    expect(ran.status).toBe(5);
    for (const { checkpoint_id } of unrecorded) expect(ran.stderr).toContain(checkpoint_id);
  });

  it("has what came from elsewhere named by its origin", async () => {
    const elsewhere = join(box.home, "elsewhere");
    mkdirSync(elsewhere);
    const other = openProject({ path: elsewhere, env: box.env });
    await goal(other, { goal: "elsewhere" });
    await other.stores.close();
    const file = join(box.home, "main.cairn");
    CLI.run(["export", "--history", "--output", file], { cwd: elsewhere, env: { HOME: box.home } });
    expect(existsSync(file)).toBe(true);
    const env = { HOME: box.home, CHECKPOINT_AGENT: "bot" };
    for (let i = 0; i < 11; i++) await now(box.as("bot"), { notes: `${i}` });
    await box.close();
    expect(CLI.run(["import", file, "--as", "theirs"], { cwd: box.folder, env }).stderr).not.toContain(
      "error",
    );
    const { unrecorded, brought } = await verify(box.as(), {});
    expect({ unrecorded, brought }).toEqual({
      unrecorded: [],
      brought: [{ origin: "the file main.cairn", checkpoints: 1 }],
    });
    await box.close();
    const bucket = join(box.home, "bucket");
    mkdirSync(bucket);
    CLI.run(["goal", "another", "--trail", "other"], { cwd: elsewhere, env: { HOME: box.home } });
    for (const cwd of [elsewhere, box.folder]) {
      expect(CLI.run(["remote", "add", "hub", `file://${bucket}`], { cwd, env }).status).toBe(0);
      // Both have a trail "main": the second one is told that they differ.
      expect(CLI.run(["sync"], { cwd, env }).status).toBe(cwd === elsewhere ? 0 : 6);
    }
    const origins = (await verify(box.as(), {})).brought.map(({ origin }) => origin);
    expect(origins).toEqual(["the file main.cairn", "the remote hub"]);
  });
});

describe("workflows of a program", () => {
  const workflow = defineWorkflow({
    name: "w",
    steps: [{ id: "one", run: "touch CANARY", action: "exec.touch" }],
  });
  const run = async (env: Record<string, string>, more: object = {}) => {
    const workflows = await openWorkflows({
      path: join(box.folder, ".cairn"),
      env: { ...box.env, ...env },
      ...more,
    });
    try {
      return await workflows.run(workflow, {});
    } finally {
      await workflows.close();
    }
  };

  it("ask the gate, and are recorded", async () => {
    await box.found();
    const intern = await box.agent("intern", 1);
    const lead = await box.agent("lead", 2);
    await box.close();
    expect(await refusedWith(() => run(intern))).toBe("refused");
    expect(existsSync(join(box.folder, "CANARY"))).toBe(false);
    expect(await run(lead)).toMatchObject({ status: "completed" });
    expect(existsSync(join(box.folder, "CANARY"))).toBe(true);
    expect(await entries()).toContainEqual(["action", "lead", "exec.touch"]);
    expect((await verify(box.as(), {})).unrecorded).toEqual([]);
  });

  it("gain nothing by a store that was opened for something else", async () => {
    await box.found();
    const intern = await box.agent("intern", 1);
    const project = box.as(undefined, intern);
    const own = await project.stores.open(project, "write", "save");
    const plain = await openCairn({ path: join(box.folder, ".cairn") });
    for (const cairn of [own, plain]) expect(await refusedWith(() => run(intern, { cairn }))).toBe("refused");
    await plain.close();
    expect(existsSync(join(box.folder, "CANARY"))).toBe(false);
  });
});
