import { isCheckpointError } from "../../errors.ts";
import type { Damage, LogEntry, LogPage, StoreIdentity } from "../contract.ts";
import { wholeEntries } from "../log-chain.ts";
import { checkedStoreId } from "../store-id.ts";
import { limitOf, type Query } from "./database.ts";

type Row = Required<Omit<LogEntry, "entry">> & { text: string; last: number | null; last_hash: string };

export async function readLog(query: Query, page: LogPage = {}): Promise<LogEntry[]> {
  const { after = 0, limit, seen = [] } = page;
  const place =
    typeof after === "number"
      ? [after + 1, "", 0]
      : [after.after ?? after.number, after.trail ?? "", after.number];
  const known = JSON.stringify(Object.fromEntries(seen.map(({ trail, number }) => [trail, number])));
  const rows = await query<Row>("SELECT * FROM @read_log($1, $2, $3, $4, $5)", [
    ...place,
    known,
    limitOf(limit),
  ]);
  const isStart = rows.some(({ last }) => last === null);
  return wholeEntries(isStart ? (await readIdentity(query)).id : "", rows.map(placedEntry));
}

function placedEntry({ number, text, hash, trail, after, last, last_hash }: Row) {
  const before = last === null ? undefined : { number: last, hash: last_hash };
  return { number, text, hash, after, before, ...(trail === "" ? {} : { trail }) };
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
