// The server of `checkpoint mcp`, with one more tool that does nothing: what a call costs by itself.
import { hostname } from "node:os";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import * as z from "zod";
import { AgentDoor, createServer, OpenStores } from "./mcp-library.ts";

const [root = "."] = process.argv.slice(2);
const log = (line: string) => void process.stderr.write(`${line}\n`);

const door = new AgentDoor({
  version: "0.0.0",
  env: {},
  cwd: root,
  chosenFolder: root,
  now: () => new Date(),
  machine: {
    pid: process.pid,
    host: hostname(),
    userName: "",
    userId: process.geteuid?.(),
    kill: (pid, signal) => void process.kill(pid, signal),
  },
  stores: new OpenStores(),
  notices: { message: () => {}, warning: log },
  log,
});

serveStdio(() => {
  const server = createServer(door);
  server.registerTool(
    "nothing",
    { description: "Does nothing.", inputSchema: z.looseObject({}) },
    async () => ({ content: [{ type: "text", text: "" }] }),
  );
  return server;
});
