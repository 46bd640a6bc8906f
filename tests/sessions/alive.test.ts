import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Sandbox } from "../cli/support/sandbox.ts";
import { AgentClient } from "../mcp/support/agent-client.ts";
import { Hooks } from "./support/hooks.ts";

const FIRST = "0b6a9f0e-6f6d-4a5c-9d0e-0123456789ab";
const SECOND = "22222222-6f6d-4a5c-9d0e-0123456789ab";
const FLAG = "(in_progress, but interrupted: no live agent works on it)";

let box: Sandbox;
let hooks: Hooks;
const clients: ChildProcess[] = [];
beforeEach(() => {
  box = new Sandbox();
  hooks = new Hooks(box);
});
afterEach(async () => {
  for (const client of clients.splice(0)) await kill(client);
  box.remove();
});

/** A process that stands for an agent client: hooks are told its pid. */
function startClient(): ChildProcess {
  const client = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
  clients.push(client);
  return client;
}

async function kill(client: ChildProcess): Promise<void> {
  if (client.exitCode !== null || client.signalCode !== null) return;
  const ended = once(client, "exit");
  client.kill("SIGKILL");
  await ended;
}

const pidOf = ({ pid }: ChildProcess) => ({ CLAUDE_PID: String(pid) });

/** A session that is in the middle of its list. */
function work(env: Readonly<Record<string, string>> = {}): void {
  hooks.send("claude/session-start-startup", {}, env);
  hooks.send("claude/user-prompt-submit", {}, env);
  hooks.send("claude/post-tool-batch-todos", {}, env);
}

const startSecond = () => hooks.send("claude/session-start-startup", { session_id: SECOND }).stdout;
const sessionStatus = () => {
  const { sessions } = box.json("sessions") as { sessions: { id: string; status: string; known: string }[] };
  return sessions.find(({ id }) => id === FIRST);
};

describe.skipIf(process.platform !== "linux")("a session (skipped where there is no /proc)", () => {
  it("whose client runs keeps its tasks, however many others start", async () => {
    const client = startClient();
    work(pidOf(client));
    const told = startSecond();
    expect(told).toContain("under way");
    expect(told).toContain("That session is still open");
    expect(told).toContain("(in_progress)");
    expect(told).not.toContain("interrupted");
    expect(box.json("load", "--trail", `session/${SECOND}`)["session"]).not.toHaveProperty("handed_over");
    expect(sessionStatus()).toMatchObject({
      status: "working",
      known: expect.stringMatching(/^its client runs/),
    });
    // Silence says nothing about a process that is there.
    box.setMinutes(600);
    expect(sessionStatus()).toMatchObject({ status: "working" });
    expect(box.see("status", "--trail", `session/${FIRST}`)).not.toContain("interrupted");
  });

  it("whose client was killed is over at once, and everybody says so", async () => {
    const client = startClient();
    work(pidOf(client));
    await kill(client);
    expect(sessionStatus()).toMatchObject({
      status: "died",
      known: expect.stringContaining("no longer runs"),
    });
    const trail = `session/${FIRST}`;
    expect(box.run(["summary", "--trail", trail]).stdout).toContain(FLAG);
    expect(box.see("status", "--trail", trail)).toContain("interrupted: no live agent works on it");
    const { open_tasks } = box.json("status", "--trail", trail) as { open_tasks: object[] };
    expect(open_tasks).toContainEqual(expect.objectContaining({ status: "in_progress", interrupted: true }));
    expect(box.see("task", "list", "--trail", trail)).toContain("interrupted: no live agent works on it");
    const agent = await AgentClient.connect(box);
    try {
      expect((await agent.call("handoff", { trail })).text).toContain(FLAG);
      expect((await agent.call("tasks", { trail })).text).toContain("[in_progress, interrupted]");
    } finally {
      await agent.close();
    }
    expect(startSecond()).toContain(FLAG);
  });

  it("does not call its own tasks interrupted when its agent looks", async () => {
    work();
    box.setMinutes(600);
    const env = { CLAUDE_CODE_SESSION_ID: FIRST };
    expect(box.run(["summary"], { env }).stdout).toContain("(in_progress)");
    expect(box.run(["summary"], { env }).stdout).not.toContain("interrupted");
    expect(box.run(["status"], { env }).stdout).not.toContain("interrupted");
  });

  it("is known by the process that runs its hooks where the client names none, through any shell", async () => {
    const [command = "", ...args] = box.argv(["hook"]);
    const program = `
      const { spawnSync } = require("node:child_process");
      const { writeSync } = require("node:fs");
      // As old as clients are when something happens in them.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000);
      for (const input of JSON.parse(process.argv[1]))
        spawnSync("sh", ["-c", '"$@"; true', "sh", ...JSON.parse(process.argv[2])], { input });
      writeSync(1, "done");
      setInterval(() => {}, 1000);`;
    const events = (["session-start-startup", "user-prompt-submit", "post-tool-batch-todos"] as const).map(
      (name) => hooks.payload(`claude/${name}`),
    );
    const client = spawn(
      process.execPath,
      ["-e", program, JSON.stringify(events), JSON.stringify([command, ...args])],
      {
        cwd: box.folder,
        env: box.environment({ CAIRN_TEST_PARENT: "" }),
        stdio: ["ignore", "pipe", "inherit"],
      },
    );
    clients.push(client);
    await once(client.stdout, "data");
    expect(startSecond()).not.toContain("interrupted");
    await kill(client);
    expect(sessionStatus()).toMatchObject({ status: "died" });
    expect(box.run(["summary", "--trail", `session/${FIRST}`]).stdout).toContain(FLAG);
  });

  it("that waits for a prompt is over when its client is", async () => {
    const client = startClient();
    work(pidOf(client));
    hooks.send("claude/stop", {}, pidOf(client));
    expect(sessionStatus()).toMatchObject({
      status: "waiting",
      known: expect.stringContaining("still runs"),
    });
    await kill(client);
    expect(sessionStatus()).toMatchObject({ status: "ended" });
  });

  it("whose place another took in the same client is over, though nobody said so", () => {
    const client = startClient();
    work(pidOf(client));
    const told = hooks.send("claude/session-start-clear", { session_id: SECOND }, pidOf(client)).stdout;
    expect(told).toContain(FLAG);
    expect(sessionStatus()).toMatchObject({ status: "died" });
  });

  it("in a client that was started by another one is not that one's", async () => {
    const outer = startClient();
    hooks.send("codex/session-start-startup", {}, pidOf(outer));
    hooks.send("codex/user-prompt-submit", {}, pidOf(outer));
    await kill(outer);
    const { sessions } = box.json("sessions") as { sessions: { status: string }[] };
    expect(sessions).toMatchObject([{ status: "working" }]);
  });

  it("of another machine or container is judged by its silence alone", () => {
    work();
    const log = join(box.folder, ".cairn/clients.log");
    const elsewhere = readFileSync(log, "utf8").replaceAll(/"place":"[^"]*"/g, '"place":"elsewhere"');
    writeFileSync(log, elsewhere.replaceAll(/"pid":\d+/g, '"pid":4000000'));
    expect(sessionStatus()).toMatchObject({ status: "working" });
    box.setMinutes(600);
    expect(sessionStatus()).toMatchObject({ status: "died" });
    expect(startSecond()).toContain(FLAG);
  });

  it("is judged by its silence where the list of clients says nothing sensible", () => {
    work();
    writeFileSync(join(box.folder, ".cairn/clients.log"), `{"session":"${FIRST}","pid":"x"}\nnonsense\n`);
    expect(sessionStatus()).toMatchObject({ status: "working" });
    expect(startSecond()).toContain(FLAG);
  });

  it("that is only opened again has no new state for it", () => {
    const first = startClient();
    work(pidOf(first));
    hooks.send("claude/session-start-resume", {}, pidOf(startClient()));
    const before = box.json("list", "--trail", `session/${FIRST}`);
    const { stdout } = hooks.send("claude/session-start-resume", {}, pidOf(startClient()));
    expect(stdout).toContain("is still current.");
    expect(box.json("list", "--trail", `session/${FIRST}`)).toEqual(before);
  });
});
