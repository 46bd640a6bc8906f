import { isCheckpointError } from "../../errors.ts";
import type { Damage, LogEntry, LogPage, StoreIdentity } from "../contract.ts";
import { wholeEntries } from "../log-chain.ts";
import { checkedStoreId } from "../store-id.ts";
import { limitOf, type Query } from "./database.ts";

/** Those after a place that the caller has not seen, each with the last one before it in its chain. */
const ENTRIES = `SELECT l.number::float8 AS number, entry::text AS text, l.hash, place::float8 AS after, l.chain AS trail,
    b.number::float8 AS last, b.hash AS last_hash
  FROM @log AS l LEFT JOIN LATERAL (
    SELECT number, hash FROM @log AS o WHERE o.chain = l.chain AND o.number < l.number ORDER BY o.number DESC LIMIT 1
  ) AS b ON true
  WHERE (place, l.chain, l.number) > ($1, $2, $3) AND l.number > coalesce(($4::json ->> l.chain)::bigint, 0)
  ORDER BY place, l.chain, l.number LIMIT $5`;

type Row = Required<Omit<LogEntry, "entry">> & { text: string; last: number | null; last_hash: string };

export async function readLog(query: Query, page: LogPage = {}): Promise<LogEntry[]> {
  const { after = 0, limit, seen = [] } = page;
  const place =
    typeof after === "number"
      ? [after + 1, "", 0]
      : [after.after ?? after.number, after.trail ?? "", after.number];
  const known = JSON.stringify(Object.fromEntries(seen.map(({ trail, number }) => [trail, number])));
  const rows = await query<Row>(ENTRIES, [...place, known, limitOf(limit)]);
  const isStart = rows.some(({ last }) => last === null);
  return wholeEntries(isStart ? (await readIdentity(query)).id : "", rows.map(placedEntry));
}

function placedEntry({ number, text, hash, trail, after, last, last_hash }: Row) {
  const before = last === null ? undefined : { number: last, hash: last_hash };
  return trail === "" ? { number, text, hash, before } : { number, text, hash, trail, after, before };
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
  const [id, key] = await query<{ value: Buffer }>(
    "SELECT value FROM @meta WHERE key IN ('store_id', 'store_key') ORDER BY key",
  );
  return { id: checkedStoreId(id?.value.toString()), key: Uint8Array.from(key?.value ?? []) };
}
