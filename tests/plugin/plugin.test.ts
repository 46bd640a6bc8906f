import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { COMMANDS } from "../../src/doors/command/table.ts";
import { PLUGIN, read, readJson, REPOSITORY } from "./support.ts";

const { version } = JSON.parse(readFileSync(join(REPOSITORY, "package.json"), "utf8")) as { version: string };

describe("the plugin", () => {
  it("is offered by the marketplace of the repository", () => {
    const marketplace = JSON.parse(
      readFileSync(join(REPOSITORY, ".claude-plugin/marketplace.json"), "utf8"),
    ) as { name: string; plugins: { name: string; source: string }[] };
    const [plugin, gate, ...others] = marketplace.plugins;
    expect(others).toEqual([]);
    expect(join(REPOSITORY, plugin!.source)).toBe(PLUGIN);
    // init, the hooks and the documents call them so.
    expect(`${plugin!.name}@${marketplace.name}`).toBe("cairn@cairn");
    expect(`${gate!.name}@${marketplace.name}`).toBe("cairn-gate@cairn");
    const manifest = readFileSync(join(REPOSITORY, gate!.source, ".claude-plugin/plugin.json"), "utf8");
    expect(JSON.parse(manifest)).toMatchObject({ name: gate!.name, version });
  });

  it("has the version of the package in both manifests, which name files that are there", () => {
    for (const name of [".claude-plugin/plugin.json", ".codex-plugin/plugin.json"]) {
      expect(readJson(name)).toMatchObject({ name: "cairn", version });
      const paths = [...read(name).matchAll(/"(\.\/[^"]+)"/g)].map(([, path]) => path as string);
      for (const path of paths)
        expect({ path, there: existsSync(join(PLUGIN, path)) }).toEqual({ path, there: true });
    }
  });

  it("has a README, and a square icon of 512 pixels", () => {
    expect(read("README.md").split(/\s+/).length).toBeGreaterThan(40);
    const icon = readFileSync(join(PLUGIN, ".claude-plugin/icon.png"));
    expect(icon.subarray(1, 4).toString()).toBe("PNG");
    expect([icon.readUInt32BE(16), icon.readUInt32BE(20)]).toEqual([512, 512]);
  });
});

describe("the skill", () => {
  const skill = read("skills/checkpoint/SKILL.md");
  const [, front = "", body = ""] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(skill) ?? [];

  it("keeps to the format, and costs little as long as nobody reads it", () => {
    const { name, description } = parse(front) as { name: string; description: string };
    expect(name).toBe("checkpoint");
    expect(description.length).toBeLessThan(300);
    expect(body.split("\n").length).toBeLessThan(100);
  });

  it("says to sub-agents the same words", () => {
    const rules = (text: string) => text.split("\n").filter((line) => line.startsWith("- "));
    expect(rules(body).length).toBeGreaterThan(5);
    expect(rules(read("skills/checkpoint/references/sub-agent.md"))).toEqual(rules(body));
  });

  it("and the slash commands name only commands and options that there are", () => {
    const texts = [
      skill,
      read("skills/checkpoint/references/sub-agent.md"),
      read("README.md"),
      ...readdirSync(join(PLUGIN, "commands")).map((file) => read(`commands/${file}`)),
    ];
    const typed = texts.flatMap((text) =>
      [...text.matchAll(/`checkpoint ([^`]+)`/g)].map(([, words]) => words!),
    );
    expect(typed.length).toBeGreaterThan(20);
    for (const words of typed) {
      const [first = "", second = ""] = words.split(" ");
      const spec = Object.values(COMMANDS).find(
        ({ name }) => name === `${first} ${second}` || name === first,
      );
      expect({ words, known: spec !== undefined }).toEqual({ words, known: true });
      const options = Object.keys((spec as { options?: object }).options ?? {});
      for (const [, option = ""] of words.matchAll(/ --([a-z]+)/g)) expect(options).toContain(option);
    }
  });

  it("tells an agent without a to-do tool to keep its steps with the server's tools", () => {
    const [, advice = ""] = /(If you have no to-do tool[\s\S]*?)\n\n/.exec(body) ?? [];
    for (const tool of ["task_add", "task_status"]) expect(advice).toContain(`\`${tool}\``);
  });

  it("has slash commands that say what they do", () => {
    for (const file of readdirSync(join(PLUGIN, "commands"))) {
      const [, head = ""] = /^---\n([\s\S]*?)\n---\n/.exec(read(`commands/${file}`)) ?? [];
      expect((parse(head) as { description: string }).description.length).toBeGreaterThan(20);
    }
  });
});

describe("the MCP server of the plugin", () => {
  it("says at the start of a session to keep steps with its tools, where the client has none for that", async () => {
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [join(REPOSITORY, "bin/checkpoint.js"), "mcp"],
    });
    const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode: "auto" } });
    await client.connect(transport);
    try {
      expect(client.getInstructions()).toMatch(/If you have no to-do tool.*task_add and task_status/);
    } finally {
      await client.close();
    }
  });
});

describe("the MCP server of the plugin, without the command", () => {
  it("answers hooks with nothing, so that none fails", async () => {
    const { command, args } = (
      readJson(".mcp.json") as { mcpServers: { cairn: { command: string; args: string[] } } }
    ).mcpServers.cairn;
    const transport = new StdioClientTransport({
      command,
      args: args.map((word) => word.replace("${CLAUDE_PLUGIN_ROOT}", PLUGIN)),
      // A shell and a Node, and no checkpoint.
      env: { PATH: [join(process.execPath, ".."), "/bin"].join(":") },
    });
    const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode: "auto" } });
    await client.connect(transport);
    try {
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toEqual(["capture"]);
      const answer = await client.callTool({ name: "capture", arguments: { hook_event_name: "Stop" } });
      expect(answer.content).toEqual([{ type: "text", text: "" }]);
    } finally {
      await client.close();
    }
  });
});
