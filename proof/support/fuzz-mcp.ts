import { CAPABILITIES } from "../../src/capabilities/list.ts";
import { once } from "node:events";
import { PassThrough } from "node:stream";

import { thisMachine } from "../../src/work/machine/this-machine.ts";
import { CheckpointError } from "../../src/core/errors.ts";
import { serveMcp } from "../../src/doors/mcp/serve.ts";
import type { Target } from "./fuzzing.ts";

const PATIENCE_MS = 20_000;

const call = (id: number, name: string, args: object) =>
  `${JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: args } })}\n`;

const SEEDS = [
  call(1, "now", { notes: "before the change", trail: "main" }),
  call(2, "task_add", { subject: "Test it", blocked_by: ["1"] }),
  call(3, "decide", { what: "Use SQLite", why: "it is there" }),
  call(4, "list", { limit: 5 }) + call(5, "diff", { from: "ckpt-1", to: "ckpt-2" }),
  '{"jsonrpc":"2.0","id":6,"method":"resources/read","params":{"uri":"cairn://handoff"}}\n',
  '{"jsonrpc":"2.0","id":7,"method":"prompts/get","params":{"name":"resume","arguments":{}}}\n',
  '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}\n',
];

/**
 * A real server, with everything but a store: calls are read, checked and answered, and end where one would be opened. After
 * each input it must still answer a ping, or it has crashed or hangs.
 */
export async function mcpTarget(): Promise<Target> {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const refuse = () => Promise.reject(new CheckpointError("failed", "There is no store here."));
  void serveMcp(
    {
      version: "0",
      env: {},
      cwd: "/",
      now: () => new Date(0),
      machine: thisMachine,
      stores: { open: refuse, keepOpen: refuse, close: () => Promise.resolve() },
      capabilities: CAPABILITIES,
      notices: { message: () => undefined, warning: () => undefined },
      chosenFolder: "/",
      log: () => undefined,
    },
    { input, output, stop: new AbortController().signal },
  );
  const waiting = new Map<string, () => void>();
  let answers = 0;
  output.on("data", (chunk: Buffer) => {
    answers++;
    for (const [, id = ""] of chunk.toString("utf8").matchAll(/"id":"(proof-\d+)"/g)) waiting.get(id)?.();
  });
  let count = 0;
  const ask = async (method: string, params: object) => {
    const id = `proof-${count++}`;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    waiting.set(id, resolve);
    const alarm = setTimeout(() => reject(new Error("The server does not answer any more.")), PATIENCE_MS);
    if (!input.write(`\n${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`))
      await once(input, "drain");
    await promise.finally(() => clearTimeout(alarm));
    waiting.delete(id);
  };
  await ask("initialize", {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "proof", version: "1" },
  });
  return {
    name: "MCP messages",
    seeds: SEEDS,
    parse: async (bytes) => {
      const before = answers;
      input.write(bytes);
      await ask("ping", {});
      return answers > before + 1 ? true : undefined;
    },
  };
}
