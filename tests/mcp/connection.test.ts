import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Sandbox } from "../cli/support/sandbox.ts";
import { skipLoudly } from "../faults/support/scale.ts";
import { whyNoSmallDisk } from "../faults/support/small-world.ts";
import { AgentClient, type ConnectOptions } from "./support/agent-client.ts";

const isSkipped = whyNoSmallDisk && skipLoudly("a server on a read-only disk", whyNoSmallDisk);

let box: Sandbox;
const open: AgentClient[] = [];
const children: ChildProcess[] = [];
beforeEach(() => {
  box = new Sandbox();
});
afterEach(async () => {
  for (const agent of open.splice(0)) await agent.close();
  for (const child of children.splice(0)) child.kill("SIGKILL");
  box.remove();
});

async function connect(options?: ConnectOptions): Promise<AgentClient> {
  const agent = await AgentClient.connect(box, options);
  open.push(agent);
  return agent;
}

/** A server in this process, where only its answers matter. */
async function answerer(options?: ConnectOptions): Promise<AgentClient> {
  const agent = await AgentClient.inProcess(box, options);
  open.push(agent);
  return agent;
}

/** The server without any client's help: lines in, lines out. */
function bare() {
  const [command = "", ...args] = box.argv(["mcp"]);
  const child = spawn(command, args, { cwd: box.folder, env: box.environment(), stdio: "pipe" });
  children.push(child);
  let stderr = "";
  child.stderr.on("data", (chunk) => (stderr += String(chunk)));
  const send = (text: string) => child.stdin.write(text);
  const answers = linesOf(child.stdout);
  const next = async () => JSON.parse((await answers.next()).value as string) as Record<string, unknown>;
  return { child, send, next, messages: () => stderr, ended: once(child, "close") };
}

/** Not by readline, for which more than a line feed ends a line. */
async function* linesOf(stream: Readable): AsyncGenerator<string, void> {
  let rest = "";
  for await (const chunk of stream.setEncoding("utf8")) {
    const lines = (rest + String(chunk)).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
}

const message = (id: number, method: string, params: object) =>
  `${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`;
const INITIALIZE = message(1, "initialize", {
  protocolVersion: "2025-06-18",
  capabilities: {},
  clientInfo: { name: "bare", version: "1" },
});

describe("the connection", () => {
  it("ends with status 0 when the client closes stdin", async () => {
    const { child, send, next, ended } = bare();
    send(INITIALIZE);
    expect(await next()).toMatchObject({ id: 1, result: { serverInfo: { name: "cairn" } } });
    child.stdin.end();
    expect(await ended).toEqual([0, null]);
  });

  it("ends when the client was killed", async () => {
    const agent = await answerer();
    await agent.call("goal", { goal: "x" });
    // A client in a process of its own, which gets no chance to say good-bye.
    const program = `
      const { spawn } = require("node:child_process");
      const [command, ...args] = ${JSON.stringify(box.argv(["mcp"]))};
      const server = spawn(command, args, { stdio: ["pipe", "pipe", "ignore"] });
      server.stdin.write(${JSON.stringify(INITIALIZE)});
      server.stdout.once("data", () => console.log(server.pid));`;
    const client = spawn(process.execPath, ["-e", program], {
      cwd: box.folder,
      env: box.environment(),
      stdio: ["ignore", "pipe", "inherit"],
    });
    children.push(client);
    const [chunk] = (await once(client.stdout, "data")) as [Buffer];
    const server = Number(String(chunk));
    client.kill("SIGKILL");
    await expect.poll(() => isAlive(server)).toBe(false);
    expect((await agent.call("load")).data).toMatchObject({ state: { goal: "x" } });
  });

  it.each(["SIGTERM", "SIGINT"] as const)("ends in order at %s", async (signal) => {
    const { child, send, next, ended } = bare();
    send(INITIALIZE);
    await next();
    child.kill(signal);
    expect(await ended).toEqual([0, null]);
  });

  it.each(["end of stdin", "SIGTERM"])("does not take what was captured last with it, at %s", async (how) => {
    const { child, send, next, ended } = bare();
    send(INITIALIZE);
    await next();
    const input = { command: "npm test" };
    const call = { tool_name: "Bash", tool_use_id: "b", tool_input: input, tool_response: { stdout: "ok" } };
    const event = { hook_event_name: "PostToolBatch", session_id: "5f3a", tool_calls: [call] };
    send(message(2, "tools/call", { name: "capture", arguments: event }));
    expect(await next()).toMatchObject({ id: 2, result: { content: [{ text: "" }] } });
    if (how === "SIGTERM") child.kill(how);
    else child.stdin.end();
    expect(await ended).toEqual([0, null]);
    expect(box.json("load", "--trail", "session/5f3a")).toMatchObject({
      commands: [{ argv: ["npm", "test"] }],
    });
  });

  it("survives lines that are no messages, and prints nothing but messages", async () => {
    const { send, next, messages, child, ended } = bare();
    send(INITIALIZE);
    await next();
    send(
      'not json\n{"jsonrpc":"2.0"}\n[]\nnull\n{"jsonrpc":"2.0","id":5,"method":"no/such","params":{}}\n\n',
    );
    expect(await next()).toMatchObject({ id: 5, error: { code: -32601 } });
    send(message(6, "tools/call", { name: "goal", arguments: { goal: "a\u{2028}\u{0}\nb" } }));
    expect(await next()).toMatchObject({
      id: 6,
      result: { structuredContent: { goal: "a\u{2028}\u{0}\nb" } },
    });
    child.stdin.end();
    await ended;
    expect(messages()).not.toContain("\u{0}");
  });

  it("answers a message that is too long with an error, wherever its number stands, and goes on", async () => {
    const { child, send, next } = bare();
    send(INITIALIZE);
    await next();
    const huge = Buffer.alloc(1024 * 1024, "x");
    const write = async (chunk: string | Buffer) => {
      if (!child.stdin.write(chunk)) await once(child.stdin, "drain");
    };
    const call = '"method":"tools/call","params":{"name":"goal","arguments":{"goal":"';
    for (const [start, end] of [
      [`{"jsonrpc":"2.0","id":7,${call}`, '"}}}\n'],
      [`{"jsonrpc":"2.0",${call}`, '"}},"id":8}\n'],
    ] as const) {
      await write(start);
      for (let mebibytes = 0; mebibytes < 65; mebibytes++) await write(huge);
      await write(end);
    }
    expect(await next()).toMatchObject({ id: 7, error: { code: -32600 } });
    expect(await next()).toMatchObject({ id: 8, error: { code: -32600 } });
    send(message(9, "tools/call", { name: "goal", arguments: { goal: "x" } }));
    expect(await next()).toMatchObject({ id: 9, result: { structuredContent: { goal: "x" } } });
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe("the store", () => {
  it("is shared by two servers and the command at once, and nothing is lost", async () => {
    const [one, two] = [await connect(), await answerer({ era: "legacy" })];
    const each = 15;
    await Promise.all(
      [one, two].map(async (agent, who) => {
        for (let index = 0; index < each; index++)
          expect((await agent.call("task_add", { subject: `${who}-${index}` })).isError).toBe(false);
      }),
    );
    const { data } = await one.call("tasks");
    const subjects = (data["tasks"] as { subject: string; id: string }[]).map(({ subject }) => subject);
    expect(new Set(subjects).size).toBe(2 * each);
    expect(box.run(["verify"]).status).toBe(0);
  });

  it("that was deleted under the server is made again, and nothing goes into the old one", async () => {
    const agent = await answerer();
    await agent.call("goal", { goal: "old" });
    rmSync(join(box.folder, ".cairn"), { recursive: true });
    expect((await agent.call("load")).error.code).toBe("not-found");
    await agent.call("goal", { goal: "new" });
    expect(box.json("goal")).toMatchObject({ goal: "new" });
    expect((await agent.call("list")).data["checkpoints"]).toHaveLength(1);
  });

  it("whose log was deleted under the server keeps what was saved before, and goes on", async () => {
    const agent = await answerer();
    await agent.call("goal", { goal: "old" });
    rmSync(join(box.folder, ".cairn/store.sqlite-wal"));
    await agent.call("goal", { goal: "new" });
    expect(box.json("goal")).toMatchObject({ goal: "new" });
    expect((await agent.call("list")).data["checkpoints"]).toHaveLength(2);
    expect(box.run(["verify"]).status).toBe(0);
  });

  it.skipIf(isSkipped)("on a disk that cannot be written is read, and not written", async () => {
    box.run(["goal", "x"]);
    const script = 'mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" && exec "$@"';
    const inside = ["unshare", "--map-root-user", "--mount", "sh", "-c", script, box.folder];
    const agent = await connect({ inside });
    expect((await agent.call("load")).data).toMatchObject({ state: { goal: "x" } });
    expect((await agent.call("goal", { goal: "y" })).error).toMatchObject({ code: "failed" });
    expect((await agent.call("now")).error).toMatchObject({ code: "failed" });
    expect((await agent.call("load")).data).toMatchObject({ state: { goal: "x" } });
    const event = { hook_event_name: "PostToolUse", session_id: "5f3a", cwd: box.folder, tool_name: "Read" };
    const answers = [
      await agent.call("capture", event),
      await agent.call("capture", event),
      await agent.call("capture", { ...event, hook_event_name: "Stop" }),
      await agent.call("capture", { ...event, session_id: "77", hook_event_name: "Stop" }),
    ];
    expect(answers.map(({ isError }) => isError)).toEqual([false, false, false, false]);
    // Once for each session.
    expect(answers.map(({ text }) => /NOT being saved/.test(text))).toEqual([true, false, false, true]);
    // Others write, and the server sees it: nothing that it read is kept.
    box.run(["goal", "z"]);
    expect((await agent.call("load")).data).toMatchObject({ state: { goal: "z" } });
  });

  it("behind a link is refused", async () => {
    const other = join(box.home, "other");
    mkdirSync(other);
    symlinkSync(other, join(box.folder, ".cairn"));
    const agent = await answerer();
    expect((await agent.call("goal", { goal: "x" })).error.code).toBe("refused");
    expect((await agent.call("list")).error.code).toBe("refused");
  });
});

describe("which project and which trail", () => {
  const makeProject = (name: string) => {
    const folder = join(box.home, name);
    mkdirSync(join(folder, ".git"), { recursive: true });
    return folder;
  };
  const goalIn = (folder: string, ...args: string[]) =>
    box.run(["goal", "--json", "-C", folder, ...args]).stdout;

  it("is that of the folder the client names, else of its roots, else of where it starts the server", async () => {
    const [named, root, chosen] = ["named", "root", "chosen"].map(makeProject) as [string, string, string];
    await (await answerer()).call("goal", { goal: "here" });
    const withRoots: ConnectOptions = {
      era: "legacy",
      capabilities: { roots: {} },
      prepare: (client) =>
        client.setRequestHandler("roots/list", async () => ({
          roots: [{ uri: "file:///no/such/folder" }, { uri: pathToFileURL(root).href }],
        })),
    };
    await (await answerer(withRoots)).call("goal", { goal: "root" });
    const env = { CLAUDE_PROJECT_DIR: named };
    await (await answerer({ ...withRoots, env })).call("goal", { goal: "named" });
    await (await connect({ ...withRoots, env, args: ["-C", chosen] })).call("goal", { goal: "chosen" });
    expect(goalIn(box.folder)).toContain('"here"');
    expect(goalIn(root)).toContain('"root"');
    expect(goalIn(named)).toContain('"named"');
    expect(goalIn(chosen)).toContain('"chosen"');
  });

  it("is the session's trail, as for the command", async () => {
    const env = { CLAUDE_CODE_SESSION_ID: "5f3a" };
    await (await answerer({ env })).call("goal", { goal: "in the session" });
    expect(goalIn(box.folder, "--trail", "session/5f3a")).toContain("in the session");
    const other = await answerer();
    const { data } = await other.call("load");
    expect(data["messages"]).toEqual([
      "Trail main is empty; showing session/5f3a, the most recently changed.",
    ]);
    await (await answerer({ env: { ...env, CHECKPOINT_TRAIL: "mine" } })).call("goal", { goal: "in mine" });
    expect(goalIn(box.folder, "--trail", "mine")).toContain("in mine");
  });
});
