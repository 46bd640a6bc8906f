import { existsSync } from "node:fs";
import {
  MemorySaver,
  type Checkpoint,
  type CheckpointMetadata,
  type SerializerProtocol,
} from "@langchain/langgraph-checkpoint";
import { CheckpointError } from "../../core/errors.ts";
import { DatabaseSync } from "../../core/store/sqlite/node-sqlite.ts";
import { configOf } from "./address.ts";
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

interface CheckpointRow {
  readonly thread_id: string;
  readonly checkpoint_ns: string;
  readonly checkpoint_id: string;
  readonly parent_checkpoint_id: string | null;
}

interface WriteRow {
  readonly task_id: string;
  readonly idx: number;
  readonly channel: string;
  readonly type: string | null;
  readonly value: Uint8Array | string;
}

interface ReadRow {
  readonly row: CheckpointRow;
  readonly checkpoint: Checkpoint;
  readonly metadata: CheckpointMetadata;
  readonly writes: readonly WriteRow[];
}

/** So many rows are asked for together: a row may hold megabytes. */
const PAGE = 20;
const ORDER = "ORDER BY thread_id, checkpoint_ns, checkpoint_id";
const OF_CHECKPOINT = "thread_id = $1 AND checkpoint_ns = $2 AND checkpoint_id = $3";

/**
 * Copies every thread of an official SqliteSaver's file into a saver; the file is only read. An import that was interrupted is
 * completed by calling again.
 *
 * @example
 * const { threads } = await importSqliteThreads("graph.sqlite", new CairnSaver({ path: ".cairn" }));
 */
export async function importSqliteThreads(path: string, to: CairnSaver): Promise<ImportedThreads> {
  if (!existsSync(path)) throw noSuchFile(path);
  const db = new DatabaseSync(path, { readOnly: true });
  const { serde } = new MemorySaver();
  async function* rows(): AsyncGenerator<ReadRow> {
    const writesOf = db.prepare(
      `SELECT * FROM writes WHERE ${OF_CHECKPOINT.replaceAll("$", "?")} ORDER BY task_id, idx`,
    );
    const found = db.prepare(`SELECT * FROM checkpoints ${ORDER}`).iterate() as Iterable<object>;
    for (const each of found) {
      const row = each as CheckpointRow & Record<"type" | "checkpoint" | "metadata", never>;
      const writes = writesOf.all(
        row.thread_id,
        row.checkpoint_ns,
        row.checkpoint_id,
      ) as unknown as WriteRow[];
      const checkpoint = (await serde.loadsTyped(row.type, row.checkpoint)) as Checkpoint;
      const metadata = (await serde.loadsTyped(row.type, row.metadata)) as CheckpointMetadata;
      yield { row, checkpoint, metadata, writes };
    }
  }
  try {
    return await importRows(rows(), to, serde);
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
export async function importPostgresThreads(
  from: QueriesPostgres,
  to: CairnSaver,
  schema = "public",
): Promise<ImportedThreads> {
  const { serde } = new MemorySaver();
  const name = (table: string) => `"${schema.replaceAll('"', '""')}".${table}`;
  const query = async <Row>(sql: string, values: readonly unknown[] = []) =>
    (await from.query(sql, [...values])).rows as Row[];
  async function* rows(): AsyncGenerator<ReadRow> {
    for (let last = ["", "", ""]; ;) {
      const page = await query<CheckpointRow & Pick<ReadRow, "checkpoint" | "metadata">>(
        `SELECT * FROM ${name("checkpoints")} WHERE (thread_id, checkpoint_ns, checkpoint_id) > ($1, $2, $3) ${ORDER} LIMIT ${PAGE}`,
        last,
      );
      for (const row of page) {
        const at = [row.thread_id, row.checkpoint_ns];
        const { channel_versions: versions } = row.checkpoint;
        const blobs = await query<{ channel: string; type: string; blob: Uint8Array }>(
          `SELECT channel, type, blob FROM ${name("checkpoint_blobs")} JOIN jsonb_each_text($3) AS wanted
             ON channel = wanted.key AND version = wanted.value WHERE thread_id = $1 AND checkpoint_ns = $2 AND type <> 'empty'`,
          [...at, JSON.stringify(versions)],
        );
        const values: Record<string, unknown> = {};
        for (const { channel, type, blob } of blobs) values[channel] = await serde.loadsTyped(type, blob);
        const writes = await query<WriteRow>(
          `SELECT task_id, idx, channel, type, blob AS value FROM ${name("checkpoint_writes")} WHERE ${OF_CHECKPOINT} ORDER BY task_id, idx`,
          [...at, row.checkpoint_id],
        );
        const checkpoint = { ...row.checkpoint, channel_versions: versions, channel_values: values };
        const [type, bytes] = await serde.dumpsTyped(row.metadata);
        yield {
          row,
          checkpoint,
          metadata: (await serde.loadsTyped(type, bytes)) as CheckpointMetadata,
          writes,
        };
      }
      const end = page.at(-1);
      if (end === undefined) return;
      last = [end.thread_id, end.checkpoint_ns, end.checkpoint_id];
    }
  }
  return importRows(rows(), to, serde);
}

/** Ids sort by time, so parents come before their children. */
async function importRows(
  rows: AsyncIterable<ReadRow>,
  to: CairnSaver,
  serde: SerializerProtocol,
): Promise<ImportedThreads> {
  const threads = new Set<string>();
  let [checkpoints, count] = [0, 0];
  for await (const { row, checkpoint, metadata, writes } of rows) {
    const { thread_id: thread, checkpoint_ns: namespace, parent_checkpoint_id: parent } = row;
    const on = configOf(thread, namespace, parent ?? "");
    // SqliteSaver also has values of channels that have no version yet.
    const all = Object.keys(checkpoint.channel_values).map((channel) => [channel, 1] as const);
    await to.put(on, { ...checkpoint, id: row.checkpoint_id }, metadata, Object.fromEntries(all));
    for (const [task, own] of Map.groupBy(writes, ({ task_id }) => task_id)) {
      const values = own
        .toSorted((a, b) => a.idx - b.idx)
        .map(
          async ({ channel, type, value }) =>
            [channel, await serde.loadsTyped(type ?? "json", value)] as [string, unknown],
        );
      await to.putWrites(configOf(thread, namespace, row.checkpoint_id), await Promise.all(values), task);
    }
    threads.add(thread);
    checkpoints++;
    count += writes.length;
  }
  return { threads: threads.size, checkpoints, writes: count };
}

function noSuchFile(path: string): CheckpointError {
  return new CheckpointError("not-found", `There is no file "${path}".`, {
    hint: "Pass the file that SqliteSaver was opened with.",
    details: { path },
  });
}
