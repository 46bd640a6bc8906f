import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

import { whyNoStrace } from "../../tests/faults/support/strace.ts";
import { none, number, type Part, type World } from "../support/part.ts";

const LAUNCHER = resolve(import.meta.dirname, "../../bin/checkpoint.js");

const PROMPT = {
  hook_event_name: "UserPromptSubmit",
  session_id: "0b6a9f0e-6f6d-4a5c-9d0e-0123456789ab",
  prompt: "Build it",
};

const HELLO = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "proof", version: "1" } },
};

/** What people do while nothing remote is configured. */
const COMMANDS: readonly {
  readonly args: readonly string[];
  readonly input?: string;
  /** How it ends, if not well: a command that fails proves little. */
  readonly status?: number;
}[] = [
  { args: ["init"] },
  { args: ["now", "--notes", "one"] },
  { args: ["goal", "Ship it"] },
  { args: ["task", "add", "Test it"] },
  { args: ["decide", "Use SQLite", "--why", "it is there"] },
  { args: ["hook"], input: JSON.stringify(PROMPT) },
  { args: ["mcp"], input: `${JSON.stringify(HELLO)}\n` },
  // It stops at a question.
  { args: ["run", "--template", "eight-agents"], status: 4 },
  { args: ["resume", "--list"] },
  { args: ["status"] },
  { args: ["list", "--all"] },
  { args: ["load"] },
  { args: ["log"] },
  { args: ["diff"] },
  { args: ["summary"] },
  { args: ["sessions"] },
  { args: ["runs"] },
  { args: ["templates"] },
  { args: ["config"] },
  { args: ["doctor"] },
  { args: ["verify"] },
  { args: ["export", "--history", "--output", "out.cairn"] },
  { args: ["import", "out.cairn", "--as", "again"] },
  { args: ["import", "claude"] },
  { args: ["undo"] },
  { args: ["fork", "--as", "side"] },
  { args: ["trails"] },
  { args: ["tag", "done"] },
  { args: ["prune", "--keep", "1"] },
  { args: ["clean", "--yes"] },
  { args: ["help"] },
  { args: ["completion", "bash"] },
];

export const network: Part = {
  name: "network",
  about: "what people do while nothing remote is configured, with every attempt to reach a network counted",
  proves: ["src", "bin"],
  whyNot: () => whyNoStrace,
  run: async (world) => {
    const contacts: string[] = [];
    for (const { args, input = "", status = 0 } of COMMANDS) {
      const { calls, ...ended } = watch(world, [process.execPath, LAUNCHER, ...args], input);
      if (ended.status !== status)
        throw new Error(`checkpoint ${args.join(" ")} ended with ${ended.status}, not ${status}.`);
      contacts.push(...calls.map((call) => `checkpoint ${args.join(" ")}: ${call}`));
      world.progress(`${args.join(" ")}: ${contacts.length} contacts`);
    }
    none(contacts, "contact with a network");
    const script = "require('node:net').connect(9, '127.0.0.1').on('error', () => {})";
    const { calls } = watch(world, [process.execPath, "-e", script], "");
    if (calls.length === 0) throw new Error("The control connected, and nobody noticed.");
    return [
      {
        fault: "any use of a network while nothing remote is configured, children and threads included",
        count: `${number(COMMANDS.length)} commands, hooks, runs and the MCP server among them`,
        outcome: "0 connections, 0 look-ups of names",
        control: "a program that connects to itself: seen",
      },
    ];
  },
};

/** The calls by which a program reaches for a network. Sockets between processes of this machine do not count. */
function watch(
  world: World,
  command: readonly string[],
  input: string,
): { calls: string[]; status: number | null } {
  const cwd = join(world.folder, "project");
  mkdirSync(cwd, { recursive: true });
  const log = join(world.folder, "strace.log");
  const strace = ["-f", "-qq", "-o", log, "-e", "trace=connect,sendto,sendmsg,bind", ...command];
  const { status } = spawnSync("strace", strace, {
    cwd,
    env: { PATH: process.env["PATH"], HOME: world.folder },
    input,
    encoding: "utf8",
    timeout: 120_000,
  });
  const calls = readFileSync(log, "utf8")
    .split("\n")
    .filter((line) => /AF_INET|AF_PACKET/.test(line));
  return { calls, status };
}
