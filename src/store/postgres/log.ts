import type { Damage, LogEntry, StoreIdentity } from "../contract.ts";
import { entriesAfter, logDamage, type ChainedEntry } from "../log-chain.ts";
import { checkedStoreId } from "../store-id.ts";
import { limitOf, type Query } from "./database.ts";
import { LOG_LOCK } from "./locks.ts";

const SELECT = "SELECT number::float8 AS number, entry::text AS text, hash FROM @log";

export async function readLog(query: Query, { after = 0, limit = Infinity } = {}): Promise<LogEntry[]> {
  const sql = `${SELECT} WHERE number >= $1 ORDER BY log.number LIMIT $2`;
  const rows = await query<ChainedEntry>(sql, [after, limitOf(after > 0 ? limit + 1 : limit)]);
  return entriesAfter((await readIdentity(query)).id, after, rows);
}

/** Keeps everybody else from appending until the transaction is over. Returns the last entry; before the first, the store's id. */
export async function holdLog(query: Query): Promise<ChainedEntry> {
  const lock = `SELECT pg_advisory_xact_lock(${LOG_LOCK})`;
  const [last] = await query<ChainedEntry>(`${lock}; ${SELECT} ORDER BY log.number DESC LIMIT 1`);
  return last ?? { number: 0, text: "", hash: (await readIdentity(query)).id };
}

export async function damageOfLog(query: Query): Promise<Damage[]> {
  const entries = await query<ChainedEntry>(`${SELECT} ORDER BY log.number`);
  return logDamage((await readIdentity(query)).id, entries);
}

/** Every chain begins with the store's id. */
export async function readIdentity(query: Query): Promise<StoreIdentity> {
  const sql = "SELECT value FROM @meta WHERE key IN ('store_id', 'store_key') ORDER BY key";
  const [id, key] = await query<{ value: Buffer }>(sql);
  return { id: checkedStoreId(id?.value.toString()), key: Uint8Array.from(key?.value ?? []) };
}
