// A process of the figure "postgres": node postgres-committer.ts <url> <schema> <trail> [home]
// Says that it is ready; for every number that it reads, makes so many commits, or bare inserts where no trail is named. With
// a home folder, for the machine's key, every commit goes through the gate and into the ledger.
import { createInterface } from "node:readline";
import pg from "pg";
import { say } from "./children.ts";
import { increment, type Counter } from "./counter.ts";
import { openGate, openPostgresStore, openUnguarded } from "./library.ts";

const [url = "", schema = "", name = "", home] = process.argv.slice(2);
const { once, close } = name === "" ? await inserter() : await committer();
await once();
const requests = createInterface({ input: process.stdin });
say("ready");
for await (const request of requests) {
  for (let done = 0; done < Number(request); done++) await once();
  say(Number(request));
}
await close();

async function committer() {
  const plain = await openPostgresStore({ url, schema });
  const store = home === undefined ? plain : await governed(plain, home);
  const cairn = await openUnguarded({ store });
  const trail = cairn.trail<Counter>(name, { initial: { count: 0, recent: [] } });
  return { once: () => trail.commit(increment), close: () => cairn.close() };
}

/** Each process is an agent of its own, so that none runs out of its budget. */
async function governed(store: Awaited<ReturnType<typeof openPostgresStore>>, HOME: string) {
  const gate = await openGate(store, {
    owner: { env: { HOME }, userId: process.geteuid?.() },
    now: () => new Date(),
  });
  return gate.governed({ claimant: { agent: name }, question: { action: "save" } });
}

async function inserter() {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const data = Buffer.alloc(1100, 7);
  return {
    once: () => client.query("INSERT INTO bare(data) VALUES ($1)", [data]),
    close: () => client.end(),
  };
}
