import { objectIdOf, type ObjectId } from "../../../core/objects/object-id.ts";
import { DEFLATED_MARK, pack, unpack } from "../../../core/store/packing.ts";
import type { Database, Query } from "./database.ts";
import { UPKEEP_LOCK } from "./functions.ts";
import { bytesOf, idOf, readRows, rebuild } from "./object-rows.ts";

/** How many rows one transaction rewrites. */
const BATCH = 500;

const FIND = `SELECT number, id FROM @objects WHERE number > $1 AND base IS NOT NULL
  AND substring(data FROM 1 FOR 1) = $2 ORDER BY number LIMIT ${BATCH}`;
const REPACK = "UPDATE @objects SET base = CASE WHEN $2 THEN base END, data = $3 WHERE id = $1";

/**
 * Rewrites rows that an earlier version deflated as they are written today; their ids stay. Commits only add rows, and the
 * lock keeps sweeps away, which delete and rewrite them. A row that is damaged is left for `verify` to name.
 */
export async function repackDeflated(database: Database): Promise<void> {
  const begin = `BEGIN; SELECT pg_advisory_xact_lock(${UPKEEP_LOCK})`;
  for (let last: string | undefined = "0"; last !== undefined;) {
    const after: string = last;
    last = await database.repeatable(begin, (query) => repackAfter(query, after));
  }
}

/** Returns the number of the last row that was looked at; undefined when there was none. */
async function repackAfter(query: Query, number: string): Promise<string | undefined> {
  type Found = { readonly number: string; readonly id: Uint8Array };
  const found = await query<Found>(FIND, [number, Buffer.of(DEFLATED_MARK)]);
  const ids = found.map(({ id }) => idOf(id));
  const rows = await readRows(query, ids);
  for (const id of ids) {
    const row = rows.get(id);
    const base = row?.base && rebuild(row.base, rows);
    const bytes = row && base && unpack(row.data, base);
    if (!bytes || objectIdOf(bytes) !== id) continue;
    const packed = pack<ObjectId>(bytes, { ref: id, bytes: base });
    await query(REPACK, [bytesOf(id), packed.base !== undefined, packed.data]);
  }
  return found.at(-1)?.number;
}
