import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { COMMANDS } from "../../src/doors/command/table.ts";
import { Sandbox } from "./support/sandbox.ts";

const examples = join(import.meta.dirname, "../../examples/clients");

let box: Sandbox;
beforeEach(() => {
  box = new Sandbox();
  box.git("init", "-q");
});
afterEach(() => box.remove());

interface GeminiSettings {
  readonly hooks: Record<
    string,
    { matcher?: string; hooks: { type: string; command: string; timeout: number }[] }[]
  >;
}

describe("examples/clients/gemini", () => {
  it("has hooks whose every event is understood, and answered with nothing but JSON", () => {
    const { hooks } = JSON.parse(
      readFileSync(join(examples, "gemini/settings.json"), "utf8"),
    ) as GeminiSettings;
    const fields = {
      session_id: "g-1",
      cwd: box.folder,
      transcript_path: "",
      timestamp: "2026-01-23T12:00:00Z",
    };
    const more: Record<string, object> = {
      BeforeAgent: { prompt: "Fix the build" },
      AfterTool: {
        tool_name: "write_file",
        tool_input: { file_path: join(box.folder, "a.ts") },
        tool_response: { llmContent: "ok" },
      },
      AfterAgent: { prompt: "Fix the build", prompt_response: "It is fixed." },
    };
    for (const [event, [group]] of Object.entries(hooks)) {
      expect(group!.hooks[0]!.timeout).toBeGreaterThanOrEqual(1000);
      const [program, ...args] = group!.hooks[0]!.command.split(" ");
      expect(program).toBe("checkpoint");
      const input = JSON.stringify({ ...fields, hook_event_name: event, ...more[event] });
      const { stdout, status } = box.run(args, { input });
      expect({ event, status, answer: typeof JSON.parse(stdout) }).toEqual({
        event,
        status: 0,
        answer: "object",
      });
    }
    const state = box.json("load", "--trail", "session/g-1");
    expect(state).toMatchObject({ goal: "Fix the build", files_touched: ["a.ts"] });
    expect(state["session"]).toMatchObject({ client: "gemini-cli", last_message: "It is fixed." });
  });
});

describe("examples/clients/opencode", () => {
  it("captures a session, hands it over, and tells the summarizer the truth about tasks", () => {
    const program = `
      import { CairnPlugin } from ${JSON.stringify(join(examples, "opencode/cairn.js"))};
      const command = JSON.parse(process.env.COMMAND);
      const open = () => CairnPlugin({ directory: process.cwd() }, { command });
      const first = await open();
      await first.event({ event: { type: "session.created", properties: { info: { id: "ses_1" } } } });
      await first["chat.message"]({ sessionID: "ses_1", model: { modelID: "m-1" } }, { parts: [{ type: "text", text: "Add a cache" }, { type: "text", text: "internal", synthetic: true }] });
      await first.event({ event: { type: "todo.updated", properties: { sessionID: "ses_1", todos: [{ id: "1", content: "Write it", status: "in_progress", priority: "high" }] } } });
      await first["tool.execute.after"]({ tool: "edit", sessionID: "ses_1", callID: "c1", args: { filePath: process.cwd() + "/src/cache.ts" } }, { title: "", output: "ok", metadata: {} });
      await first["tool.execute.after"]({ tool: "bash", sessionID: "ses_1", callID: "c2", args: { command: "npm test" } }, { title: "", output: "1 failed", metadata: { exit: 1 } });
      await first["tool.execute.after"]({ tool: "read", sessionID: "ses_1", callID: "c3", args: { filePath: "/x" } }, { title: "", output: "", metadata: {} });
      const context = [];
      await first["experimental.session.compacting"]({ sessionID: "ses_1" }, { context });
      await first.event({ event: { type: "session.compacted", properties: { sessionID: "ses_1" } } });
      const after = [];
      await first["experimental.chat.system.transform"]({ sessionID: "ses_1" }, { system: after });
      const env = {};
      await first["shell.env"]({ cwd: "", sessionID: "ses_1" }, { env });
      const second = await open();
      await second.event({ event: { type: "session.created", properties: { info: { id: "ses_2" } } } });
      await second["chat.message"]({ sessionID: "ses_2" }, { parts: [{ type: "text", text: "Go on" }] });
      const system = [];
      await second["experimental.chat.system.transform"]({ sessionID: "ses_2" }, { system });
      console.log(JSON.stringify({ context, after, system, env }));
    `;
    box.write("use.mjs", program);
    const env = { ...box.environment(), COMMAND: JSON.stringify(box.argv([])) };
    const ran = spawnSync(process.execPath, ["use.mjs"], { cwd: box.folder, env, encoding: "utf8" });
    expect(ran.stderr).toBe("");
    const seen = JSON.parse(ran.stdout) as {
      context: string[];
      after: string[];
      system: string[];
      env: object;
    };
    expect(seen.context.join()).toContain("Write it");
    expect(seen.after.join()).toContain("Add a cache");
    expect(seen.system.join()).toContain("Add a cache");
    expect(seen.env).toEqual({ OPENCODE_SESSION_ID: "ses_1" });
    const state = box.json("load", "--trail", "session/ses_1");
    expect(state).toMatchObject({
      goal: "Add a cache",
      files_touched: ["src/cache.ts"],
      checks_failing: ["npm test"],
      tasks: [{ subject: "Write it", status: "in_progress" }],
    });
    const sessions = box.json("sessions")["sessions"] as { id: string; resume: string }[];
    expect(sessions.map(({ resume }) => resume).toSorted()).toEqual([
      "opencode --session ses_1",
      "opencode --session ses_2",
    ]);
  });

  it("links the sessions of sub-agents to the one that started them", () => {
    const program = `
      import { CairnPlugin } from ${JSON.stringify(join(examples, "opencode/cairn.js"))};
      const command = JSON.parse(process.env.COMMAND);
      const infos = { ses_0: { id: "ses_0" }, ses_3: { id: "ses_3", parentID: "ses_2", title: "Read (@reader subagent)" } };
      const client = { session: { get: async ({ path: { id } }) => ({ data: infos[id] }) } };
      const plugin = await CairnPlugin({ directory: process.cwd(), client }, { command });
      const created = (info) => plugin.event({ event: { type: "session.created", properties: { info } } });
      const ask = (sessionID, text) => plugin["chat.message"]({ sessionID }, { parts: [{ type: "text", text }] });
      const edit = (sessionID, file) => plugin["tool.execute.after"]({ tool: "edit", sessionID, callID: file, args: { filePath: file } }, { output: "ok", metadata: {} });
      await created({ id: "ses_1" });
      await ask("ses_1", "Add a cache");
      await plugin.event({ event: { type: "todo.updated", properties: { sessionID: "ses_1", todos: [{ content: "Write it", status: "in_progress" }] } } });
      await created({ id: "ses_2", parentID: "ses_1", title: "Look for it (@explore subagent)" });
      await ask("ses_2", "Look for the old cache");
      await edit("ses_2", "notes.md");
      await plugin.event({ event: { type: "todo.updated", properties: { sessionID: "ses_2", todos: [{ content: "Read", status: "pending" }] } } });
      const system = [], env = {}, own = {};
      await plugin["experimental.chat.system.transform"]({ sessionID: "ses_2" }, { system });
      await plugin["shell.env"]({ sessionID: "ses_2" }, { env });
      await plugin["shell.env"]({ sessionID: "ses_1" }, { env: own });
      await plugin.event({ event: { type: "session.idle", properties: { sessionID: "ses_2" } } });
      await ask("ses_3", "Read it all");
      await ask("ses_0", "Something of before");
      console.log(JSON.stringify({ system, env, own }));
    `;
    box.write("use.mjs", program);
    const env = { ...box.environment(), COMMAND: JSON.stringify(box.argv([])) };
    const ran = spawnSync(process.execPath, ["use.mjs"], { cwd: box.folder, env, encoding: "utf8" });
    expect(ran.stderr).toBe("");
    const seen = JSON.parse(ran.stdout) as { system: string[]; env: object; own: object };
    expect(seen.system.join()).toContain("Add a cache");
    expect(seen.env).toEqual({
      OPENCODE_SESSION_ID: "ses_1",
      CHECKPOINT_TRAIL: "session/ses_1/agent/ses_2",
    });
    expect(seen.own).toEqual({ OPENCODE_SESSION_ID: "ses_1" });
    const sessions = box.json("sessions")["sessions"] as { id: string; subagents: object[] }[];
    expect(sessions.map(({ id }) => id).toSorted()).toEqual(["ses_0", "ses_1"]);
    expect(sessions.find(({ id }) => id === "ses_1")?.subagents).toMatchObject([
      { id: "ses_2", type: "explore", status: "completed" },
      { id: "ses_3", type: "reader", status: "interrupted" },
    ]);
    expect(box.json("load", "--trail", "session/ses_1")).toMatchObject({
      goal: "Add a cache",
      files_touched: ["notes.md"],
      tasks: [{ subject: "Write it" }],
    });
    expect(box.json("load", "--trail", "session/ses_1/agent/ses_2")).toMatchObject({
      goal: "Look for the old cache",
      session: { parent_trail: "session/ses_1", agent: { id: "ses_2", type: "explore" } },
    });
  });

  it("leaves the agent alone when the command is not there", () => {
    const program = `
      import { CairnPlugin } from ${JSON.stringify(join(examples, "opencode/cairn.js"))};
      const plugin = await CairnPlugin({ directory: process.cwd() }, { command: ["no-such-command-of-cairn"] });
      await plugin["chat.message"]({ sessionID: "s" }, { parts: [{ type: "text", text: "x" }] });
      const system = [];
      await plugin["experimental.chat.system.transform"]({ sessionID: "s" }, { system });
      console.log(JSON.stringify(system));
    `;
    box.write("use.mjs", program);
    const ran = spawnSync(process.execPath, ["use.mjs"], {
      cwd: box.folder,
      encoding: "utf8",
      env: box.environment(),
    });
    expect({ out: ran.stdout, err: ran.stderr, status: ran.status }).toEqual({
      out: "[]\n",
      err: "",
      status: 0,
    });
  });
});

describe("examples/clients/snippets", () => {
  it("names only commands and options that there are", () => {
    for (const file of readdirSync(join(examples, "snippets"))) {
      const text = readFileSync(join(examples, "snippets", file), "utf8");
      const commands = [...text.matchAll(/`checkpoint ([^`]+)`/g)].map(([, words]) => words!);
      expect(commands.length).toBeGreaterThan(2);
      for (const words of commands) {
        const [first = "", second = ""] = words.split(" ");
        const spec = Object.values(COMMANDS).find(
          ({ name }) => name === `${first} ${second}` || name === first,
        );
        expect({ file, words, known: spec !== undefined }).toEqual({ file, words, known: true });
        for (const [, option = ""] of words.matchAll(/ --([a-z]+)/g))
          expect({ words, options: Object.keys((spec as { options?: object }).options ?? {}) }).toMatchObject(
            {
              options: expect.arrayContaining([option]) as unknown,
            },
          );
      }
    }
  });
});
