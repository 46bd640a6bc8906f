import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { recordedPayload } from "../sessions/support/recorded.ts";
import { Sandbox } from "./support/sandbox.ts";

// Cursor and Copilot CLI: a file of hooks with a version, and a file of MCP servers.

let box: Sandbox;
let env: Record<string, string>;
beforeEach(() => {
  box = new Sandbox();
  env = { PATH: join(box.home, "bin") };
  box.writeHome("bin/checkpoint", "#!/bin/sh\n", 0o755);
});
afterEach(() => box.remove());

const put = (name: string, text: string) => box.writeHome(name, text);

const text = (name: string) => readFileSync(join(box.home, name), "utf8");
const json = (name: string) => JSON.parse(text(name)) as Record<string, unknown>;
const run = (...args: string[]) => box.run(args, { env });

const everything = () => box.everything();

const OTHER_HOOKS = `{
    // Mine.
    "version": 1,
    "hooks": {
        "afterFileEdit": [{ "command": "./hooks/format.sh" }], // keep
        "stop": [
            { "command": "say done" },
        ],
    },
}
`;
const OTHER_SERVERS = '{\n\t"mcpServers": { "files": { "command": "npx", "args": ["files"] } } // one\n}';

const CASES = [
  { client: "cursor", folder: ".cursor", hooks: ".cursor/hooks.json", servers: ".cursor/mcp.json" },
  {
    client: "copilot",
    folder: ".copilot",
    hooks: ".copilot/hooks/cairn.json",
    servers: ".copilot/mcp-config.json",
  },
] as const;

describe.each(CASES)("checkpoint init for $client", ({ client, folder, hooks, servers }) => {
  const example = join(import.meta.dirname, "../../examples/clients", client, "hooks.json");

  it("finds the client, shows what it would write, and makes the files that are missing", () => {
    expect(run("init", "--dry-run").stdout).toContain("AGENTS.md");
    mkdirSync(join(box.home, folder));
    const before = everything();
    expect(run("init", "--dry-run").stdout).toContain(`checkpoint hook --client ${client}`);
    expect(everything()).toEqual(before);
    expect(run("init", "--yes").status).toBe(0);
    expect(json(hooks)).toEqual(JSON.parse(readFileSync(example, "utf8")));
    expect(json(servers)).toEqual({
      mcpServers: {
        cairn: {
          ...(client === "copilot" ? { type: "local", tools: ["*"] } : {}),
          command: "checkpoint",
          args: ["mcp"],
        },
      },
    });
    expect(run("init", "--remove", "--yes").status).toBe(0);
    expect(everything()).toEqual(before);
  });

  it("merges itself into what is there, once, and gives it back byte for byte", () => {
    put(hooks, OTHER_HOOKS);
    put(servers, OTHER_SERVERS);
    const before = everything();
    expect(run("init", "--yes", "--client", client).status).toBe(0);
    expect(text(hooks)).toContain("// Mine.");
    expect(text(hooks)).toContain('"afterFileEdit": [{ "command": "./hooks/format.sh" }');
    expect(text(hooks)).toContain(`checkpoint hook --client ${client}`);
    expect(text(hooks).match(/"version"/g)).toHaveLength(1);
    expect(text(servers)).toContain('"files": { "command": "npx", "args": ["files"] }');
    expect(text(servers)).toContain('"cairn"');
    const once = everything();
    expect(run("init", "--yes", "--client", client).stdout).not.toContain("done:");
    expect(everything()).toEqual(once);
    expect(run("init", "--remove", "--yes").status).toBe(0);
    expect(everything()).toEqual(before);
  });

  it("takes only its own out of files that were changed since", () => {
    mkdirSync(join(box.home, folder));
    run("init", "--yes");
    put(
      servers,
      text(servers).replace('"mcpServers": {', '"mcpServers": {\n    "mine": { "command": "x" },'),
    );
    put(hooks, text(hooks).replace('"hooks": {', '"hooks": {\n    "mine": [{ "command": "x" }],'));
    expect(run("init", "--remove", "--yes").status).toBe(0);
    expect(json(servers)).toEqual({ mcpServers: { mine: { command: "x" } } });
    expect(json(hooks)).toEqual({ version: 1, hooks: { mine: [{ command: "x" }] } });
    expect(existsSync(join(box.home, `${servers}.before-cairn`))).toBe(false);
    expect(existsSync(join(box.home, `${hooks}.before-cairn`))).toBe(false);
  });

  it.each([
    [hooks, '{ "version": 2, "hooks": {} }', '"version" should be 1'],
    [hooks, '{ "version": 1, "hooks": [] }', '"hooks" should be an object'],
    [hooks, '{ "version": 1,', "cannot be parsed"],
    [servers, '{ "mcpServers": [] }', '"mcpServers" should be an object'],
  ])("refuses %s when it is %s, and writes nothing", (name, content, problem) => {
    put(name, content);
    const before = everything();
    const { status, stderr } = run("init", "--yes", "--client", client);
    expect({ status, stderr }).toEqual({ status: 4, stderr: expect.stringContaining(problem) as unknown });
    expect(everything()).toEqual(before);
  });

  it("leaves a server of our name alone that runs something else", () => {
    const theirs = '{ "mcpServers": { "cairn": { "command": "stones" } } }';
    put(servers, theirs);
    run("init", "--yes", "--client", client);
    expect(text(servers)).toBe(theirs);
    run("init", "--remove", "--yes", "--client", client);
    expect(text(servers)).toBe(theirs);
  });

  it("has hooks whose every event is understood by the command", () => {
    const fixtures = join(import.meta.dirname, "../sessions/fixtures", client);
    const payloads = readdirSync(fixtures).map((file) =>
      recordedPayload(`${client}/${file.replace(".json", "")}`, box),
    );
    const wanted = JSON.parse(readFileSync(example, "utf8")) as { hooks: Record<string, unknown> };
    expect(new Set(payloads.map((payload) => payload["hook_event_name"]))).toEqual(
      new Set(Object.keys(wanted.hooks)),
    );
    for (const payload of payloads) {
      const input = JSON.stringify(payload);
      const { status, stderr } = box.run(["hook", "--client", client], { input, env });
      expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    }
    const sessions = box.json("sessions")["sessions"] as { goal: string; resume: string | null }[];
    expect(sessions).toMatchObject([{ goal: "Build the login page" }]);
    expect(String(sessions[0]?.resume)).toMatch(client === "copilot" ? /^copilot --resume=/ : /status|null/);
    expect(readFileSync(join(box.folder, ".cairn/hooks.log"), "utf8")).not.toMatch(/ ignored | failed /);
  });
});

describe("checkpoint init for Copilot CLI", () => {
  it("goes where $COPILOT_HOME says", () => {
    env["COPILOT_HOME"] = join(box.home, "elsewhere");
    run("init", "--yes", "--client", "copilot");
    expect(Object.keys(everything()).filter((name) => name.startsWith("elsewhere"))).toHaveLength(2);
  });
});
