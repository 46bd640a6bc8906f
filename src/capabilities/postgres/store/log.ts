import { isCheckpointError } from "../../../core/errors.ts";
import type { Damage, LogEntry, LogPage, StoreIdentity } from "../../../core/store/contract.ts";
import { wholeEntries, type PlacedEntry } from "../../../core/store/log-chain.ts";
import { checkedStoreId } from "../../../core/store/store-id.ts";
import { limitOf, type Query } from "./database.ts";

export async function readLog(query: Query, page: LogPage = {}): Promise<LogEntry[]> {
  const { after: from = 0, limit, seen = [] } = page;
  // After a number comes the next one of the store's own chain, not what follows that number in the chains of trails.
  const start: Pick<LogEntry, "number" | "trail" | "after"> =
    typeof from === "number" ? { number: 0, after: from + 1 } : from;
  const { number, trail = "", after = number } = start;
  const known = JSON.stringify(Object.fromEntries(seen.map((entry) => [entry.trail, entry.number])));
  const values = [after, trail, number, known, limitOf(limit)];
  const rows = await query<PlacedEntry>("SELECT * FROM @read_log($1, $2, $3, $4, $5)", values);
  const isStart = rows.some(({ last }) => last === null);
  return wholeEntries(isStart ? (await readIdentity(query)).id : "", rows);
}

export async function damageOfLog(query: Query): Promise<Damage[]> {
  try {
    await readLog(query);
    return [];
  } catch (error) {
    if (!isCheckpointError(error, "corrupt")) throw error;
    return [{ kind: "log", what: error.message, costs: [] }];
  }
}

/** Every chain begins with the store's id. */
export async function readIdentity(query: Query): Promise<StoreIdentity> {
  const sql = "SELECT value FROM @meta WHERE key IN ('store_id', 'store_key') ORDER BY key";
  const [id, key] = await query<{ value: Buffer }>(sql);
  return { id: checkedStoreId(id?.value.toString()), key: Uint8Array.from(key?.value ?? []) };
}
