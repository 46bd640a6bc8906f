// Saves steps of a thread without end, and tells each that was acknowledged; or reads a copy of what it saved.
// Runs beside the packages of LangGraph: node writer.mjs write|read <saver> <folder>
import { join } from "node:path";
import { uuid6 } from "@langchain/langgraph-checkpoint";
import { SqliteSaver } from "@langchain/langgraph-checkpoint-sqlite";
import { CairnSaver } from "cairn-checkpoint/langgraph";

const [action, name, folder] = process.argv.slice(2);
const saver =
  name === "CairnSaver"
    ? new CairnSaver({ path: join(folder, ".cairn") })
    : SqliteSaver.fromConnString(join(folder, "graph.sqlite"));
const thread = { configurable: { thread_id: "t", checkpoint_ns: "" } };
const textOf = (step) => `message ${step} `.repeat(8);

if (action === "write") {
  let config = thread;
  let log = [];
  for (let step = 1; ; step++) {
    log = [...log.slice(-10), textOf(step)];
    const checkpoint = {
      v: 4,
      id: uuid6(step),
      ts: new Date().toISOString(),
      channel_values: { log, step },
      channel_versions: { log: step, step },
      versions_seen: {},
    };
    config = await saver.put(config, checkpoint, { source: "loop", step, parents: {} }, { log: step, step });
    await saver.putWrites(config, [["log", textOf(step)]], `task ${step}`);
    process.send({ step });
    // SqliteSaver would fill the disk before the last cut.
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

const problems = [];
let last = 0;
try {
  const tuple = await saver.getTuple(thread);
  const { log, step } = tuple?.checkpoint.channel_values ?? { log: [], step: 0 };
  last = step;
  if (step > 0 && log.at(-1) !== textOf(step)) problems.push(`step ${step} has other messages`);
  let at = step;
  for await (const each of saver.list(thread, { limit: 30 })) {
    if (each.checkpoint.channel_values.step !== at) problems.push(`step ${at} is missing`);
    if (at < step && each.pendingWrites.length !== 1) problems.push(`step ${at} lost its write`);
    at--;
  }
} catch (error) {
  problems.push(String(error));
}
process.stdout.write(`${JSON.stringify({ last, problems })}\n`);
process.exit(0);
