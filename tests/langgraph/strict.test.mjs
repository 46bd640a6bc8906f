// What LangGraph's own suite leaves out, on each of our stores.
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { AIMessage } from "@langchain/core/messages";
import { CairnSaver } from "cairn-checkpoint/langgraph";
import { testSaver } from "cairn-checkpoint/testing";
import { open, STORES } from "./support/savers.mjs";

const openStrict = () => open("SQLite", { singleWriter: true });
const makeMessage = (content) => new AIMessage({ content });

for (const store of STORES)
  describe(`CairnSaver (${store})`, () => {
    const openAny = async () => {
      const opened = await open(store);
      return { ...opened, tamper: store === "SQLite" ? tamperer(opened) : undefined };
    };
    // Bytes of a store in memory or on a server are not within a test's reach.
    const it =
      store === "SQLite"
        ? globalThis.it
        : Object.assign(apartFrom(/behind its back/), { skip: globalThis.it.skip });
    testSaver(openAny, { describe, it, openStrict, makeMessage });
  });

function apartFrom(pattern) {
  return (name, body) => (pattern.test(name) ? globalThis.it.skip(name, body) : globalThis.it(name, body));
}

function tamperer({ saver, path }) {
  return async (what, from, to) => {
    await saver.close();
    const db = new DatabaseSync(join(path, "store.sqlite"));
    const [table, column] = what === "writes" ? ["records", "value"] : ["objects", "data"];
    const rows = db.prepare(`SELECT rowid AS id, ${column} AS bytes FROM ${table}`).all();
    for (const { id, bytes } of rows) {
      const text = Buffer.from(bytes).toString("latin1").replaceAll(from, to);
      const changed = Buffer.from(text, "latin1");
      // What is compressed cannot be read: then any byte will do.
      if (changed.equals(bytes)) changed[changed.length - 1] ^= 1;
      db.prepare(`UPDATE ${table} SET ${column} = ? WHERE rowid = ?`).run(changed, id);
    }
    db.close();
    expect(rows.length).toBeGreaterThan(0);
    return new CairnSaver({ path });
  };
}
