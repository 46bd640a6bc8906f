// Stands in for `checkpoint mcp` while that command is not installed. Without a server each hook would fail at each tool
// call, and one client remembers a server that failed and does not start it again for a while, even once it is there.
// The start of a session says what is missing; this one answers hooks with nothing.
"use strict";

const ANSWERS = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: "cairn", version: "0" },
    instructions: "The command checkpoint is not installed: npm install --global cairn-checkpoint",
  }),
  ping: () => ({}),
  "tools/list": () => ({
    tools: [
      {
        name: "capture",
        description: "For the client's own hooks. Saves nothing until the command checkpoint is installed.",
        inputSchema: { type: "object" },
      },
    ],
  }),
  "tools/call": () => ({ content: [{ type: "text", text: "" }] }),
};

require("node:readline")
  .createInterface({ input: process.stdin })
  .on("line", (line) => {
    const reply = answer(line);
    if (reply !== undefined) process.stdout.write(`${JSON.stringify(reply)}\n`);
  });

function answer(line) {
  let message;
  try {
    message = JSON.parse(line);
  } catch {
    return undefined;
  }
  const { id, method, params } = Object(message);
  if (id === undefined || typeof method !== "string") return undefined;
  if (!Object.hasOwn(ANSWERS, method)) {
    return { jsonrpc: "2.0", id, error: { code: -32601, message: `There is no method "${method}".` } };
  }
  return { jsonrpc: "2.0", id, result: ANSWERS[method](Object(params)) };
}
