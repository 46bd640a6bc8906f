// A process of the figure "postgres": node postgres-committer.ts <url> <schema> <trail>
// Says that it is ready; for every number that it reads, makes so many commits, or bare inserts where no trail is named.
import { createInterface } from "node:readline";
import pg from "pg";
import { say } from "./children.ts";
import { increment, type Counter } from "./counter.ts";
import { openCairn, openPostgresStore } from "./library.ts";

const [url = "", schema = "", name = ""] = process.argv.slice(2);
const { once, close } = name === "" ? await inserter() : await committer();
for (let warmUp = 0; warmUp < 50; warmUp++) await once();
const requests = createInterface({ input: process.stdin });
say("ready");
for await (const request of requests) {
  for (let done = 0; done < Number(request); done++) await once();
  say(Number(request));
}
await close();

async function committer() {
  const cairn = await openCairn({ store: await openPostgresStore({ url, schema }) });
  const trail = cairn.trail<Counter>(name, { initial: { count: 0, recent: [] } });
  return { once: () => trail.commit(increment), close: () => cairn.close() };
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
