// What passes through a serde of the user's, or through the redactor: state, metadata and pending writes alike.
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { zstdDecompressSync } from "node:zlib";
import { AIMessage } from "@langchain/core/messages";
import { Annotation, END, START, StateGraph } from "@langchain/langgraph";
import { MemorySaver } from "@langchain/langgraph-checkpoint";
import { CairnSaver } from "cairn-checkpoint/langgraph";
import { openSqliteStore } from "cairn-checkpoint/store";
import { open, STORES } from "./support/savers.mjs";

const THREAD = { configurable: { thread_id: "t", checkpoint_ns: "" } };
const SECRET = `ghp_${"a1B2c3D4e5F6g7H8i9".repeat(2)}`;
const PHRASE = "Only the two of us know this sentence.";

const TS = "2026-01-01T00:00:00.000Z";
const checkpoint = (id, values) => ({
  v: 4,
  id: `1ef00000-0000-6000-8000-${String(id).padStart(12, "0")}`,
  ts: TS,
  channel_values: values,
  channel_versions: Object.fromEntries(Object.keys(values).map((name) => [name, id])),
  versions_seen: {},
});

/** Encrypts with a key of its own, so the same value is never written alike twice. */
function sealing(key = randomBytes(32)) {
  const { serde } = new MemorySaver();
  return {
    async dumpsTyped(value) {
      const [type, bytes] = await serde.dumpsTyped(value);
      const iv = randomBytes(12);
      const cipher = createCipheriv("aes-256-gcm", key, iv);
      const sealed = Buffer.concat([cipher.update(bytes), cipher.final()]);
      return [`sealed+${type}`, Buffer.concat([iv, cipher.getAuthTag(), sealed])];
    },
    async loadsTyped(type, data) {
      const bytes = Buffer.from(data);
      const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, 12));
      decipher.setAuthTag(bytes.subarray(12, 28));
      const plain = Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]);
      return serde.loadsTyped(type.replace("sealed+", ""), plain);
    },
  };
}

/** Puts a text wherever a value can be, and tells what comes back from each place. */
async function keep(saver, text) {
  const values = { messages: [new AIMessage({ content: text })], note: text };
  const put = await saver.put(
    THREAD,
    checkpoint(1, values),
    { source: "input", said: text },
    { messages: 1, note: 1 },
  );
  await saver.putWrites(put, [["note", text]], "task");
}

async function kept(saver) {
  const { checkpoint: found, metadata, pendingWrites } = await saver.getTuple(THREAD);
  const { messages, note } = found.channel_values;
  return { message: messages[0], note, said: metadata.said, written: pendingWrites[0][2] };
}

/** Every byte that is stored, also of what is compressed. */
async function everything(path) {
  const store = await openSqliteStore({ path: join(path, "store.sqlite") });
  let all = "";
  const heads = await store.history("thread/t");
  const seen = new Set();
  for (let ids = heads.map(({ id }) => id); ids.length > 0;) {
    const texts = [...(await store.readObjects(ids)).values()].map((bytes) => Buffer.from(bytes).toString());
    all += texts.join("\n");
    for (const id of ids) seen.add(id);
    ids = [...new Set(texts.flatMap((text) => text.match(/[0-9a-f]{64}/g) ?? []))].filter(
      (id) => !seen.has(id),
    );
  }
  for (const records of (await store.attachments(heads.map(({ id }) => id))).values())
    for (const value of records.values()) {
      const bytes = Buffer.from(value);
      all += (bytes[0] === 0x28 ? zstdDecompressSync(bytes) : bytes).toString();
    }
  await store.close();
  for (const file of readdirSync(path))
    if (file.startsWith("store.sqlite")) all += readFileSync(join(path, file), "latin1");
  return all;
}

describe.each(STORES)("a serde that encrypts (%s)", (store) => {
  it("brings everything back, a graph's state too", async () => {
    const { saver, end } = await open(store, { serde: sealing() });
    await keep(saver, PHRASE);
    const found = await kept(saver);
    expect(found).toMatchObject({ note: PHRASE, said: PHRASE, written: PHRASE });
    expect(found.message).toBeInstanceOf(AIMessage);
    expect(found.message.content).toBe(PHRASE);
    const State = Annotation.Root({
      list: Annotation({ reducer: (a, b) => [...a, ...b], default: () => [] }),
    });
    const graph = new StateGraph(State)
      .addNode("add", ({ list }) => ({ list: [list.length] }))
      .addEdge(START, "add")
      .addEdge("add", END)
      .compile({ checkpointer: saver });
    const config = { configurable: { thread_id: "graph" } };
    for (let run = 0; run < 3; run++) await graph.invoke({ list: ["go"] }, config);
    expect((await graph.getState(config)).values.list).toEqual(["go", 1, "go", 3, "go", 5]);
    await saver.copyThread("graph", "copy");
    const copy = await graph.getState({ configurable: { thread_id: "copy" } });
    expect(copy.values.list).toHaveLength(6);
    await end();
  });

  it("finds threads by metadata that is sealed", async () => {
    const { saver, end } = await open(store, { serde: sealing() });
    await keep(saver, PHRASE);
    const count = async (filter) => (await Array.fromAsync(saver.list(THREAD, { filter }))).length;
    expect([await count({ said: PHRASE }), await count({ said: "else" })]).toEqual([1, 0]);
    await end();
  });
});

describe("a store with sealed values", () => {
  it("holds no plain text, and can be read with the same key only", async () => {
    const key = randomBytes(32);
    const { saver, path, end } = await open("SQLite", { serde: sealing(key) });
    await keep(saver, PHRASE);
    await saver.close();
    const bytes = await everything(path);
    expect(bytes).toContain("$sealed");
    expect(bytes).not.toContain(PHRASE);
    expect(bytes).not.toContain(Buffer.from(PHRASE).toString("base64").slice(0, -4));
    const read = async (options) => {
      const reader = new CairnSaver({ path, ...options });
      try {
        return await kept(reader);
      } finally {
        await reader.close();
      }
    };
    expect((await read({ serde: sealing(key) })).note).toBe(PHRASE);
    await expect(read({ serde: sealing() })).rejects.toThrow(/authenticate/);
    await expect(read({})).rejects.toThrow("sealed by a serde that this saver lacks");
    await end();
  });

  it("refuses a value that was stored without the serde", async () => {
    const { saver, path, end } = await open("SQLite");
    await keep(saver, PHRASE);
    await saver.close();
    const reader = new CairnSaver({ path, serde: sealing() });
    await expect(reader.getTuple(THREAD)).rejects.toThrow("stored without the serde of this saver");
    await reader.close();
    await end();
  });
});

describe("redact", () => {
  it("is off by default: a program's state is kept exactly", async () => {
    const { saver, path, end } = await open("SQLite");
    await keep(saver, `token ${SECRET}`);
    expect(await kept(saver)).toMatchObject({ note: `token ${SECRET}`, written: `token ${SECRET}` });
    await saver.close();
    expect(await everything(path)).toContain(SECRET);
    await end();
  });

  it("takes secrets out of state, metadata and pending writes before they are stored", async () => {
    const { saver, path, end } = await open("SQLite", { redact: true });
    const given = new AIMessage({ content: `token ${SECRET}` });
    const values = { messages: [given], note: `token ${SECRET}`, plain: "kept" };
    const config = await saver.put(
      THREAD,
      checkpoint(1, values),
      { source: "input", said: `token ${SECRET}` },
      { messages: 1, note: 1, plain: 1 },
    );
    await saver.putWrites(config, [["note", `token ${SECRET}`]], "task");
    // The values that the program works with are not touched.
    expect([given.content, values.note]).toEqual([`token ${SECRET}`, `token ${SECRET}`]);
    const found = await kept(saver);
    for (const text of [found.message.content, found.note, found.said, found.written])
      expect(text).toMatch(/^token \[redacted:[\w-]+\]$/);
    expect(found.message).toBeInstanceOf(AIMessage);
    expect((await saver.getTuple(THREAD)).checkpoint.channel_values.plain).toBe("kept");
    await saver.close();
    expect(await everything(path)).not.toContain(SECRET);
    await end();
  });
});
