import type { Damage, LogEntry } from "../contract.ts";
import { entriesAfter, logDamage, type ChainedEntry } from "../log-chain.ts";
import { limitOf, type Query } from "./database.ts";
import { lockNumber } from "./migrate.ts";

export async function readLog(query: Query, { after = 0, limit = Infinity } = {}): Promise<LogEntry[]> {
  const rows = await select(query, after, after > 0 ? limit + 1 : limit);
  return entriesAfter(await readStoreId(query), after, rows);
}

/** Keeps everybody else from appending until the transaction is over. Returns the number of the last entry. */
export async function holdLog(query: Query, schema: string): Promise<number> {
  await query(`SELECT pg_advisory_xact_lock(${lockNumber(schema) + 2})`);
  const [row] = await query<{ last: string }>("SELECT coalesce(max(number), 0) AS last FROM @log");
  return Number(row?.last);
}

export async function damageOfLog(query: Query): Promise<Damage[]> {
  return logDamage(await readStoreId(query), await select(query, 0));
}

export async function readStoreId(query: Query): Promise<string> {
  const [row] = await query<{ id: string }>(
    "SELECT convert_from(value, 'UTF8') AS id FROM @meta WHERE key = 'store_id'",
  );
  return row?.id ?? "";
}

async function select(query: Query, from: number, limit = Infinity): Promise<ChainedEntry[]> {
  const rows = await query<{ number: string; text: string; hash: string }>(
    "SELECT number, entry AS text, hash FROM @log WHERE number >= $1 ORDER BY number LIMIT $2",
    [from, limitOf(limit)],
  );
  return rows.map((row) => ({ ...row, number: Number(row.number) }));
}
