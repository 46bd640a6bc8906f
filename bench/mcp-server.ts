// The server of `checkpoint mcp`, with one more tool that does nothing: what a call costs by itself.
import { hostname } from "node:os";
import { join } from "node:path";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import * as z from "zod";
import { openCairn } from "./library.ts";
import { createServer, Desk } from "./mcp-library.ts";

const [root = "."] = process.argv.slice(2);
const project = { root, folder: join(root, ".cairn") };

const desk = new Desk({
  version: "0.0.0",
  env: {},
  cwd: root,
  chosenFolder: root,
  userId: process.geteuid?.(),
  now: () => new Date(),
  findProject: () => project,
  hasStore: () => true,
  openStore: () => openCairn({ path: project.folder }),
  settings: async () => ({
    dependencies: [],
    allow_endpoints: [],
    probe_timeout_ms: 1000,
    redact: [],
    redact_allow: [],
  }),
  runner: { pid: process.pid, host: hostname(), kill: (pid, signal) => void process.kill(pid, signal) },
  explain: (error) => {
    throw error;
  },
  log: (line) => void process.stderr.write(`${line}\n`),
});

serveStdio(() => {
  const server = createServer(desk);
  server.registerTool(
    "nothing",
    { description: "Does nothing.", inputSchema: z.looseObject({}) },
    async () => ({ content: [{ type: "text", text: "" }] }),
  );
  return server;
});
