// An agent that saves after every tool call, as fast as it can, until somebody kills it: node writer.ts <store>
// It says a line for each checkpoint, after the store has said that it is durable.
import { writeSync } from "node:fs";
import { openCairn } from "./library.ts";
import { useTool } from "./work.ts";

const [path = ""] = process.argv.slice(2);
const cairn = await openCairn({ path });
const trail = cairn.trail("main");
for (let call = 1; ; call++) {
  const started = performance.now();
  const { content_hash } = await trail.commit((state) => useTool(state, call), {
    trigger: "hook:post-tool-use",
  });
  // Synchronous: what is said here has left the process before the next commit begins.
  writeSync(1, `${JSON.stringify({ content_hash, milliseconds: performance.now() - started })}\n`);
}
