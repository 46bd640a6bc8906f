// The checkpointers that are compared, each on a folder or schema of its own.
import { randomUUID } from "node:crypto";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { MemorySaver } from "@langchain/langgraph-checkpoint";
import { PostgresSaver } from "@langchain/langgraph-checkpoint-postgres";
import { SqliteSaver } from "@langchain/langgraph-checkpoint-sqlite";
import { CairnSaver } from "cairn-checkpoint/langgraph";
import pg from "pg";

const url = process.env.CAIRN_BENCH_PG_URL;

/** Each opens a saver in a folder; opened again with `state`, it has what was there. */
export const SAVERS = {
  CairnSaver(folder) {
    const saver = new CairnSaver({ path: join(folder, ".cairn") });
    return { saver, close: () => saver.close(), bytes: () => bytesIn(folder) };
  },
  "SqliteSaver (NORMAL)": (folder) => openSqlite(folder, "NORMAL"),
  "SqliteSaver (FULL)": (folder) => openSqlite(folder, "FULL"),
  MemorySaver(_folder, state) {
    const saver = state ?? new MemorySaver();
    return { saver, state: saver, close: () => undefined, bytes: () => memoryBytes(saver) };
  },
  async PostgresSaver(_folder, state) {
    const schema = state ?? `s${randomUUID().replaceAll("-", "")}`;
    const saver = PostgresSaver.fromConnString(url, { schema });
    await saver.setup();
    return { saver, state: schema, close: () => saver.end(), bytes: () => schemaBytes(schema) };
  },
};

function openSqlite(folder, synchronous) {
  const saver = SqliteSaver.fromConnString(join(folder, "graph.sqlite"));
  saver.setup();
  saver.db.pragma(`synchronous = ${synchronous}`);
  return { saver, close: () => saver.db.close(), bytes: () => bytesIn(folder) };
}

function bytesIn(folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true });
  const sizes = files
    .filter((file) => file.isFile())
    .map((file) => statSync(join(file.parentPath, file.name)).size);
  return sizes.reduce((sum, size) => sum + size, 0);
}

function memoryBytes({ storage, writes }) {
  let sum = 0;
  const add = (value) => {
    if (value instanceof Uint8Array) sum += value.length;
    else if (typeof value === "object" && value !== null) Object.values(value).forEach(add);
  };
  add(storage);
  add(writes);
  return sum;
}

async function schemaBytes(schema) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(
    "SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0)::float8 AS bytes FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND c.relkind = 'r'",
    [schema],
  );
  await client.end();
  return rows[0].bytes;
}

/** Changes what is stored, with the store's own tools, and opens it anew. */
export const TAMPER = {
  async CairnSaver({ saver }, folder, what, from, to) {
    await saver.close();
    const db = new DatabaseSync(join(folder, ".cairn/store.sqlite"));
    const [table, column] = what === "writes" ? ["records", "value"] : ["objects", "data"];
    for (const { id, bytes } of db.prepare(`SELECT rowid AS id, ${column} AS bytes FROM ${table}`).all()) {
      const changed = Buffer.from(Buffer.from(bytes).toString("latin1").replaceAll(from, to), "latin1");
      if (changed.equals(bytes)) changed[changed.length - 1] ^= 1;
      db.prepare(`UPDATE ${table} SET ${column} = ? WHERE rowid = ?`).run(changed, id);
    }
    db.close();
    return SAVERS.CairnSaver(folder).saver;
  },
  async "SqliteSaver (FULL)"({ saver }, folder, what, from, to) {
    const [table, column] = what === "writes" ? ["writes", "value"] : ["checkpoints", "checkpoint"];
    saver.db.exec(
      `UPDATE ${table} SET ${column} = CAST(replace(CAST(${column} AS TEXT), '${from}', '${to}') AS BLOB)`,
    );
    return saver;
  },
  async PostgresSaver({ saver, state }, _folder, what, from, to) {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const column = (table, name) =>
      `UPDATE ${state}.${table} SET ${name} = convert_to(replace(convert_from(${name}, 'UTF8'), '${from}', '${to}'), 'UTF8')`;
    if (what === "writes") await client.query(column("checkpoint_writes", "blob"));
    else {
      await client.query(column("checkpoint_blobs", "blob"));
      await client.query(
        `UPDATE ${state}.checkpoints SET checkpoint = replace(checkpoint::text, '${from}', '${to}')::jsonb`,
      );
    }
    await client.end();
    return saver;
  },
};
