// What is measured: each runs in a process of its own, on one saver.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AIMessage } from "@langchain/core/messages";
import { Annotation, DeltaChannel, END, START, StateGraph } from "@langchain/langgraph";
import { uuid6 } from "@langchain/langgraph-checkpoint";
import { SAVERS } from "./savers.mjs";

/** Real text in messages of about 1 KB, and ten scalars, three of which change with every step. */
const { messages, scalars } = JSON.parse(readFileSync(process.env.CAIRN_BENCH_MESSAGES, "utf8"));

const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];

/** Processor time and time of a function, in milliseconds. */
async function timed(work) {
  const started = performance.now();
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return { cpu: (user + system) / 1000, wall: performance.now() - started };
}

async function repeated(times, work) {
  const all = [];
  for (let at = 0; at < times; at++) all.push(await timed(work));
  return { cpu: median(all.map(({ cpu }) => cpu)), wall: median(all.map(({ wall }) => wall)) };
}

const configOf = (thread) => ({ configurable: { thread_id: thread, checkpoint_ns: "" } });

const MAKE = {
  plain: (message) => ({ ...message }),
  AIMessages: ({ id, content, usage }) =>
    new AIMessage({
      id,
      content,
      usage_metadata: { ...usage, total_tokens: usage.input_tokens + usage.output_tokens },
    }),
};

/** Puts steps that each add a message and change three scalars. */
async function putLine(saver, thread, steps, make, offset = 0) {
  let config = configOf(thread);
  let log = [];
  for (let at = 0; at < steps; at++) {
    log = [...log, make(messages[(offset + at) % messages.length])];
    const values = { messages: log, ...scalars.fixed, ...scalars.changing[at % scalars.changing.length] };
    const changed = at === 0 ? Object.keys(values) : ["messages", ...Object.keys(scalars.changing[0])];
    const versions = Object.fromEntries(
      Object.keys(values).map((name) => [name, changed.includes(name) ? at + 1 : 1]),
    );
    const newVersions = Object.fromEntries(changed.map((name) => [name, at + 1]));
    const checkpoint = {
      v: 4,
      id: uuid6(at),
      ts: new Date().toISOString(),
      channel_values: values,
      channel_versions: versions,
      versions_seen: { agent: { messages: at } },
    };
    config = await saver.put(config, checkpoint, { source: "loop", step: at, parents: {} }, newVersions);
  }
  return config;
}

/** Some steps elsewhere, so that no saver is measured while it is compiled. */
async function warmUp(name, make) {
  const folder = mkdtempSync(join(tmpdir(), "cairn-bench-warm-"));
  const { saver, close } = await SAVERS[name](folder);
  await putLine(saver, "warm", 100, make);
  for (let times = 0; times < 30; times++) await saver.getTuple(configOf("warm"));
  for await (const _ of saver.list(configOf("warm"), { limit: 20 }));
  await close();
  rmSync(folder, { recursive: true });
}

/** JSON of the new data alone. */
function idealBytes(steps, offset = 0) {
  let sum = JSON.stringify(scalars.fixed).length;
  for (let at = 0; at < steps; at++) {
    sum += Buffer.byteLength(JSON.stringify(messages[(offset + at) % messages.length]));
    sum += JSON.stringify(scalars.changing[at % scalars.changing.length]).length;
  }
  return sum;
}

export const WORKLOADS = {
  /** One thread of many steps, and reading it. */
  async line({ name, folder, steps, kind = "plain", reads = true }) {
    await warmUp(name, MAKE[kind]);
    const opened = await SAVERS[name](folder);
    const { saver } = opened;
    const put = await timed(() => putLine(saver, "t", steps, MAKE[kind]));
    const result = { put: { cpu: put.cpu / steps, wall: put.wall / steps } };
    if (reads) {
      const config = configOf("t");
      result.get = await repeated(9, () => saver.getTuple(config));
      result.list = await repeated(3, async () => {
        let found = 0;
        for await (const _ of saver.list(config, { limit: 20 })) found++;
        if (found !== Math.min(20, steps)) throw new Error(`${name} listed ${found}.`);
      });
    }
    await opened.close();
    result.bytes = await opened.bytes();
    result.ideal = idealBytes(steps);
    if (reads) {
      const cold = [];
      for (let at = 0; at < 5; at++) {
        const again = await SAVERS[name](folder, opened.state);
        // Opening the store is not part of it.
        await again.saver.getTuple(configOf("no such thread"));
        cold.push(await timed(() => again.saver.getTuple(configOf("t"))));
        await again.close();
      }
      result.cold = { cpu: median(cold.map(({ cpu }) => cpu)), wall: median(cold.map(({ wall }) => wall)) };
    }
    return result;
  },

  /** Many short threads, and deleting one of them. */
  async threads({ name, folder, threads, steps }) {
    await warmUp(name, MAKE.plain);
    const opened = await SAVERS[name](folder);
    const put = await timed(async () => {
      for (let at = 0; at < threads; at++)
        await putLine(opened.saver, `t${at}`, steps, MAKE.plain, at * steps);
    });
    const remove = [];
    for (let at = 0; at < 5; at++) remove.push(await timed(() => opened.saver.deleteThread(`t${at * 7}`)));
    const all = threads * steps;
    await opened.close();
    return {
      put: { cpu: put.cpu / all, wall: put.wall / all },
      remove: { cpu: median(remove.map(({ cpu }) => cpu)), wall: median(remove.map(({ wall }) => wall)) },
      bytes: await opened.bytes(),
    };
  },

  /** A real graph whose node adds one message a step. */
  async graph({ name, folder, steps, channel = "plain", at = 1 }) {
    const opened = await SAVERS[name](folder);
    const graph = graphOf(channel, steps, opened.saver);
    const run = (thread) =>
      graph.invoke(
        { messages: [], step: 0 },
        { configurable: { thread_id: thread }, recursionLimit: steps * 2 + 10, durability: "sync" },
      );
    const threads = Array.from({ length: at }, (_, n) => `t${n}`);
    const ran = await timed(() => Promise.all(threads.map(run)));
    const state = await graph.getState({ configurable: { thread_id: "t0" } });
    if (state.values.messages.length !== steps)
      throw new Error(`${name} has ${state.values.messages.length}.`);
    const get = await repeated(5, () => graph.getState({ configurable: { thread_id: "t0" } }));
    await opened.close();
    const all = steps * at;
    const ideal = at * idealBytes(steps);
    return {
      step: { cpu: ran.cpu / all, wall: ran.wall / all },
      stepsPerSecond: (all / ran.wall) * 1000,
      get,
      bytes: await opened.bytes(),
      ideal,
    };
  },
};

function graphOf(channel, steps, checkpointer) {
  const add = (left, right) => left.concat(right);
  const State = Annotation.Root({
    messages:
      channel === "delta"
        ? new DeltaChannel((state, writes) => writes.reduce(add, state), { initialValueFactory: () => [] })
        : Annotation({ reducer: add, default: () => [] }),
    step: Annotation(),
  });
  return new StateGraph(State)
    .addNode("work", ({ step }) => ({ messages: [{ ...messages[step % messages.length] }], step: step + 1 }))
    .addEdge(START, "work")
    .addConditionalEdges("work", ({ step }) => (step < steps ? "work" : END))
    .compile({ checkpointer });
}

if (process.argv[1] === import.meta.filename) {
  const { workload, ...options } = JSON.parse(process.argv[2]);
  const result = await WORKLOADS[workload](options);
  process.stdout.write(`\n${JSON.stringify(result)}\n`);
  process.exit(0);
}
