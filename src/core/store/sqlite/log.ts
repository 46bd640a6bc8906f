import type { JsonObject } from "../../objects/json.ts";
import type { Damage, LogEntry, LogHead, LogPage } from "../contract.ts";
import { chainEntries, entriesAfter, logDamage, type ChainedEntry } from "../log-chain.ts";
import { LOG_VIEWS } from "../log-views.ts";
import type { Connection } from "./connection.ts";

const HEAD = "number, lower(hex(hash)) AS hash";
const COLUMNS = `${HEAD}, entry AS text`;

/** Appends entries. Runs inside the transaction of a commit. */
export function appendLog(connection: Connection, entries: readonly JsonObject[]): void {
  const last = connection.sql(`SELECT ${HEAD} FROM log ORDER BY number DESC LIMIT 1`).get() as
    | LogHead
    | undefined;
  // Made with the first entry, because most stores have none.
  if (last === undefined)
    for (const view of LOG_VIEWS) connection.sql(view.replace("VIEW", "VIEW IF NOT EXISTS")).run();
  for (const { number, text, hash } of chainEntries(startOf(connection, last), last, entries))
    connection
      .sql("INSERT INTO log(number, entry, hash) VALUES (?, ?, ?)")
      .run(number, text, Buffer.from(hash, "hex"));
}

/** A store in a file has one chain: only one commit at a time can write. */
export function readLog(connection: Connection, page: LogPage = {}): LogEntry[] {
  const { limit = Infinity } = page;
  const after = typeof page.after === "object" ? page.after.number : (page.after ?? 0);
  const rows = `SELECT ${COLUMNS} FROM log WHERE number >= ? ORDER BY number`;
  // SQLite plans a query with a bound limit anew each time, which takes longer than reading the newest entries.
  const found = (limit === Infinity
    ? connection.sql(rows).all(after)
    : connection
        .sql(`${rows} LIMIT ?`)
        .all(after, after > 0 ? limit + 1 : limit)) as unknown as ChainedEntry[];
  return found.length === 0 ? [] : entriesAfter(after > 0 ? "" : storeId(connection), after, found);
}

export function damageOfLog(connection: Connection): Damage[] {
  const rows = connection.sql(`SELECT ${COLUMNS} FROM log ORDER BY number`).iterate();
  return logDamage(storeId(connection), rows as unknown as Iterable<ChainedEntry>);
}

/** What the first entry's hash covers; those that follow cover the one before them. */
const startOf = (connection: Connection, last: LogHead | undefined) =>
  last === undefined ? storeId(connection) : "";

function storeId(connection: Connection): string {
  return String(connection.sql("SELECT value FROM meta WHERE key = 'store_id'").get()?.value);
}
