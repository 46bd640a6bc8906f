import { existsSync } from "node:fs";
import { MemorySaver, type Checkpoint, type CheckpointMetadata } from "@langchain/langgraph-checkpoint";
import { CheckpointError } from "../../core/errors.ts";
import { DatabaseSync } from "../../core/store/sqlite/node-sqlite.ts";
import { configOf } from "./names.ts";
import type { CairnSaver } from "./saver.ts";

export interface ImportedThreads {
  readonly threads: number;
  readonly checkpoints: number;
  readonly writes: number;
}

/** What imports ask of a client or pool of the package `pg`. */
export interface QueriesPostgres {
  query(sql: string, values?: unknown[]): Promise<{ rows: unknown[] }>;
}

/** A row of either: what stands in it as bytes of a type, or as JSON, is read by `valueOf` of its tables. */
type Row = Readonly<
  Record<"thread_id" | "checkpoint_ns" | "checkpoint_id" | "channel" | "task_id", string>
> & {
  readonly parent_checkpoint_id: string | null;
  readonly type: string | null;
  readonly [column: string]: unknown;
};

interface Tables {
  readonly query: (sql: string, values: unknown[]) => Promise<readonly Row[]>;
  readonly checkpoints: string;
  readonly writes: string;
  readonly read: (row: Row) => Promise<readonly [Checkpoint, CheckpointMetadata]>;
}

/** So many rows are asked for together: a row may hold megabytes. */
const PAGE = 20;
const OF_CHECKPOINT = "thread_id = $1 AND checkpoint_ns = $2 AND checkpoint_id = $3";

const { serde } = new MemorySaver();
const load = (type: unknown, bytes: unknown) =>
  serde.loadsTyped((type as string | null) ?? "json", bytes as string);

/**
 * Copies every thread of an official SqliteSaver's file into a saver; the file is only read. An import that was interrupted is
 * completed by calling again.
 *
 * @example
 * const { threads } = await importSqliteThreads("graph.sqlite", new CairnSaver({ path: ".cairn" }));
 */
export async function importSqliteThreads(path: string, to: CairnSaver): Promise<ImportedThreads> {
  if (!existsSync(path))
    throw new CheckpointError("not-found", `There is no file "${path}".`, {
      hint: "Pass the file that SqliteSaver was opened with.",
      details: { path },
    });
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    return await importTables(
      {
        query: async (sql, values) =>
          db.prepare(sql.replaceAll("$", "?")).all(...(values as string[])) as never,
        checkpoints: "checkpoints",
        writes: "writes",
        read: async ({ type, checkpoint, metadata }) =>
          Promise.all([load(type, checkpoint), load(type, metadata)]) as never,
      },
      to,
    );
  } finally {
    db.close();
  }
}

/**
 * The same from the tables of an official PostgresSaver. What a fork there reads of another one is imported as it is read.
 *
 * @example
 * const pool = new pg.Pool({ connectionString: "postgres://db.example/app" });
 * await importPostgresThreads(pool, new CairnSaver({ path: ".cairn" }));
 */
export function importPostgresThreads(
  from: QueriesPostgres,
  to: CairnSaver,
  schema = "public",
): Promise<ImportedThreads> {
  const name = (table: string) => `"${schema.replaceAll('"', '""')}".checkpoint${table}`;
  const query: Tables["query"] = async (sql, values) => (await from.query(sql, values)).rows as Row[];
  const blobs = `SELECT channel, type, blob FROM ${name("_blobs")} JOIN jsonb_each_text($3) AS wanted
    ON channel = wanted.key AND version = wanted.value WHERE thread_id = $1 AND checkpoint_ns = $2 AND type <> 'empty'`;
  const read = async (row: Row) => {
    const checkpoint = row["checkpoint"] as Checkpoint;
    const wanted = JSON.stringify(checkpoint.channel_versions);
    const values: Record<string, unknown> = {};
    for (const { channel, type, blob } of await query(blobs, [row.thread_id, row.checkpoint_ns, wanted]))
      values[channel] = await load(type, blob);
    const metadata = await load("json", JSON.stringify(row["metadata"]));
    return [{ ...checkpoint, channel_values: values }, metadata as CheckpointMetadata] as const;
  };
  return importTables({ query, checkpoints: name("s"), writes: name("_writes"), read }, to);
}

/** Ids sort by time, so parents come before their children. */
async function importTables(tables: Tables, to: CairnSaver): Promise<ImportedThreads> {
  const threads = new Set<string>();
  let [checkpoints, writes] = [0, 0];
  const { query, read } = tables;
  const next = `SELECT * FROM ${tables.checkpoints} WHERE (thread_id, checkpoint_ns, checkpoint_id) > ($1, $2, $3)
    ORDER BY thread_id, checkpoint_ns, checkpoint_id LIMIT ${PAGE}`;
  const writesOf = `SELECT * FROM ${tables.writes} WHERE ${OF_CHECKPOINT} ORDER BY task_id, idx`;
  for (
    let last = ["", "", ""], page = await query(next, last);
    page.length > 0;
    page = await query(next, last)
  ) {
    for (const row of page) {
      last = [row.thread_id, row.checkpoint_ns, row.checkpoint_id];
      const [thread, namespace, id] = last as [string, string, string];
      const [checkpoint, metadata] = await read(row);
      // SqliteSaver also has values of channels that have no version yet.
      const versions = Object.keys(checkpoint.channel_values).map((channel) => [channel, 1] as const);
      const parent = configOf(thread, namespace, row.parent_checkpoint_id ?? "");
      await to.put(parent, { ...checkpoint, id }, metadata, Object.fromEntries(versions));
      const own = await query(writesOf, last);
      for (const [task, found] of Map.groupBy(own, ({ task_id }) => task_id)) {
        const values = found.map(async ({ channel, type, value, blob = value }) => [
          channel,
          await load(type, blob),
        ]);
        await to.putWrites(configOf(thread, namespace, id), (await Promise.all(values)) as never, task);
      }
      threads.add(thread);
      checkpoints++;
      writes += own.length;
    }
  }
  return { threads: threads.size, checkpoints, writes };
}
