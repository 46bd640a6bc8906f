import type { Damage, LogEntry } from "../contract.ts";
import { entriesAfter, logDamage, type ChainedEntry } from "../log-chain.ts";
import { limitOf, type Query } from "./database.ts";
import { lockNumber } from "./migrate.ts";

const SELECT = "SELECT number::float8 AS number, entry::text AS text, hash FROM @log";

export async function readLog(query: Query, { after = 0, limit = Infinity } = {}): Promise<LogEntry[]> {
  const rows = await query<ChainedEntry>(`${SELECT} WHERE number >= $1 ORDER BY log.number LIMIT $2`, [
    after,
    limitOf(after > 0 ? limit + 1 : limit),
  ]);
  return entriesAfter(await readStoreId(query), after, rows);
}

/** Keeps everybody else from appending until the transaction is over. Returns the last entry; before the first, the store's id. */
export async function holdLog(query: Query, schema: string): Promise<ChainedEntry> {
  const lock = `SELECT pg_advisory_xact_lock(${lockNumber(schema) + 2})`;
  const [last] = await query<ChainedEntry>(`${lock}; ${SELECT} ORDER BY log.number DESC LIMIT 1`);
  return last ?? { number: 0, text: "", hash: await readStoreId(query) };
}

export async function damageOfLog(query: Query): Promise<Damage[]> {
  return logDamage(await readStoreId(query), await query<ChainedEntry>(`${SELECT} ORDER BY log.number`));
}

export async function readStoreId(query: Query): Promise<string> {
  const [row] = await query<{ id: string }>(
    "SELECT convert_from(value, 'UTF8') AS id FROM @meta WHERE key = 'store_id'",
  );
  return row?.id ?? "";
}
