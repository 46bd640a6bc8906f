// A process of the figure "throughput": node rival-worker.mjs <dbos|dbos-fast|pg-boss> <url> <schema> <slots>
// Without slots it only hands work in: each line is a number, how much. With slots it works, and tells the processor time
// it took with every line. "chain" runs 50 steps in a row, and tells how long that took.
import { createInterface } from "node:readline";

const [rival, url, schema, slots] = process.argv.slice(2);
// What DBOS does with pg is its own business.
process.noDeprecation = true;
const isWorker = slots !== undefined;
const say = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);
const nothing = () => Promise.resolve(null);

const RIVALS = {
  /** As it comes: it looks for work every second. */
  dbos: () => dbos({}),
  "dbos-fast": () => dbos({ minPollingIntervalMs: 10 }),
  /** As fast as it can be told to be. */
  async "pg-boss"() {
    const { PgBoss } = await import("pg-boss");
    const boss = new PgBoss({ connectionString: url, schema });
    boss.on("error", () => undefined);
    await boss.start();
    await boss.createQueue("one");
    const options = { batchSize: Number(slots), pollingIntervalSeconds: 0.5, burstWhenBatchFull: true };
    if (isWorker) await boss.work("one", options, nothing);
    return { submit: () => boss.send("one", {}), close: () => boss.stop({ graceful: false }) };
  },
};

async function dbos(polling) {
  const { DBOS } = await import("@dbos-inc/dbos-sdk");
  DBOS.setConfig({
    name: "bench",
    systemDatabaseUrl: url,
    systemDatabaseSchemaName: schema,
    logLevel: "error",
    applicationVersion: "1",
    executorID: String(process.pid),
    listenQueues: isWorker ? ["one"] : ["none"],
  });
  const one = DBOS.registerWorkflow(() => DBOS.runStep(nothing, { name: "only" }), { name: "one" });
  const chain = DBOS.registerWorkflow(
    async () => {
      for (let at = 0; at < 50; at++) await DBOS.runStep(nothing, { name: `s${at}` });
    },
    { name: "chain" },
  );
  await DBOS.launch();
  await DBOS.registerQueue("one", { workerConcurrency: Number(slots ?? 1), ...polling });
  return {
    submit: () => DBOS.startWorkflow(one, { queueName: "one" })(),
    chain: async () => (await DBOS.startWorkflow(chain)()).getResult(),
    close: () => DBOS.shutdown(),
  };
}

const { submit, chain, close } = await RIVALS[rival]();
say("ready");
for await (const line of createInterface({ input: process.stdin })) {
  if (line === "chain") {
    const started = performance.now();
    await chain();
    say({ ms: performance.now() - started });
  } else if (isWorker) {
    const { user, system } = process.cpuUsage();
    say({ cpuMs: (user + system) / 1000 });
  } else {
    for (let left = Number(line); left > 0; left -= 16)
      await Promise.all(Array.from({ length: Math.min(left, 16) }, submit));
    say("done");
  }
}
await close();
process.exit(0);
