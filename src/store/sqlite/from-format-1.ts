import type { DatabaseSync } from "node:sqlite";

import { unpackFormat1 } from "./format-1-rows.ts";
import { pack } from "./object-rows.ts";

interface OldRow {
  readonly id: number;
  readonly base: number | null;
  readonly depth: number;
  readonly data: Uint8Array;
}

/** Brings a store of format 1 over. Runs inside the transaction that raises its version. */
export function migrateFromFormat1(db: DatabaseSync): void {
  repackRows(db);
}

/**
 * Packs every object anew, newest first: what an object is a change of is always older, so it can still be read. One
 * that is damaged is left as it is, for `verify` to name: it was damaged before.
 */
function repackRows(db: DatabaseSync): void {
  const find = db.prepare("SELECT id, base, depth, data FROM objects WHERE id = ?");
  const previous = db.prepare("SELECT max(id) AS id FROM objects WHERE id < ?");
  const update = db.prepare("UPDATE objects SET base = ?, depth = ?, data = ? WHERE id = ?");
  const rowAt = (id: number) => find.get(id) as unknown as OldRow | undefined;
  const before = (id: number) => (previous.get(id) as { id: number | null }).id;
  for (let id = before(Number.MAX_SAFE_INTEGER); id !== null; id = before(id)) {
    const row = rowAt(id) as OldRow;
    const base = row.base === null ? undefined : bytesOf(rowAt(row.base), rowAt);
    const bytes = bytesOf(row, rowAt);
    if (bytes === undefined) continue;
    const from = base && { ref: { row: row.base as number, depth: row.depth - 1 }, bytes: base };
    const packed = pack(bytes, from);
    // The depth is kept, though one less may do: it counts what stands above this row at most.
    update.run(packed.base?.row ?? null, packed.base ? row.depth : 0, packed.data, id);
  }
}

function bytesOf(row: OldRow | undefined, rowAt: (id: number) => OldRow | undefined): Uint8Array | undefined {
  if (row === undefined) return undefined;
  try {
    const base = row.base === null ? undefined : bytesOf(rowAt(row.base), rowAt);
    return row.base !== null && base === undefined ? undefined : unpackFormat1(row.data, base);
  } catch {
    return undefined;
  }
}
