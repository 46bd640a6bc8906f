// Threads that the official savers wrote, with real graphs: imported they are the same.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { HumanMessage } from "@langchain/core/messages";
import {
  Annotation,
  Command,
  END,
  interrupt,
  MessagesAnnotation,
  START,
  StateGraph,
} from "@langchain/langgraph";
import { PostgresSaver } from "@langchain/langgraph-checkpoint-postgres";
import { SqliteSaver } from "@langchain/langgraph-checkpoint-sqlite";
import { importPostgresThreads, importSqliteThreads } from "cairn-checkpoint/langgraph";
import pg from "pg";
import { open } from "./support/savers.mjs";

const State = Annotation.Root({ ...MessagesAnnotation.spec, approved: Annotation() });

const graphOn = (checkpointer) =>
  new StateGraph(State)
    .addNode("plan", () => ({ messages: [new HumanMessage({ content: "plan", id: "m2" })] }))
    .addNode("ask", () => ({ approved: interrupt("Deploy?") }))
    .addEdge(START, "plan")
    .addEdge("plan", "ask")
    .addEdge("ask", END)
    .compile({ checkpointer });

const of = (thread) => ({ configurable: { thread_id: thread } });

async function run(saver) {
  const graph = graphOn(saver);
  for (const thread of ["waits", "answered"])
    await graph.invoke({ messages: [new HumanMessage({ content: "go", id: "m1" })] }, of(thread));
  await graph.invoke(new Command({ resume: true }), of("answered"));
}

async function all(saver, thread) {
  const tuples = [];
  for await (const { pendingWrites, ...tuple } of saver.list({
    configurable: { thread_id: thread, checkpoint_ns: "" },
  }))
    tuples.push({ ...tuple, writes: pendingWrites.map((write) => JSON.stringify(write)).toSorted() });
  return tuples;
}

async function expectSame(official, imported) {
  for (const thread of ["waits", "answered"]) {
    const tuples = await all(official, thread);
    expect(tuples.length).toBeGreaterThan(2);
    expect(await all(imported, thread)).toEqual(tuples);
  }
  const ended = await graphOn(imported).invoke(new Command({ resume: "yes" }), of("waits"));
  expect(ended.approved).toBe("yes");
  expect(ended.messages.map((message) => message.constructor.name)).toEqual(["HumanMessage", "HumanMessage"]);
}

describe("an import", () => {
  it("brings what SqliteSaver wrote, again and again, and a graph continues from it", async () => {
    const folder = mkdtempSync(join(tmpdir(), "cairn-import-"));
    const path = join(folder, "graph.sqlite");
    const official = SqliteSaver.fromConnString(path);
    await run(official);
    const { saver, end } = await open("SQLite");
    const first = await importSqliteThreads(path, saver);
    expect(first).toMatchObject({ threads: 2 });
    expect(await importSqliteThreads(path, saver)).toEqual(first);
    await expectSame(official, saver);
    await end();
    official.db.close();
    rmSync(folder, { recursive: true });
  });

  it("says which file is not there", async () => {
    const { saver, end } = await open("memory");
    await expect(importSqliteThreads("nowhere.sqlite", saver)).rejects.toThrow(
      'There is no file "nowhere.sqlite".',
    );
    await end();
  });

  it("brings what PostgresSaver wrote", async () => {
    const connectionString = process.env.CAIRN_TEST_PG_URL;
    // Without a server the other tests say that it is missing.
    if (!connectionString) return;
    const official = PostgresSaver.fromConnString(connectionString, { schema: "official" });
    await official.setup();
    await run(official);
    const pool = new pg.Pool({ connectionString });
    const { saver, end } = await open("SQLite");
    expect(await importPostgresThreads(pool, saver, "official")).toMatchObject({ threads: 2 });
    await expectSame(official, saver);
    await end();
    await pool.end();
    await official.end();
  });
});
