import type { DatabaseSync } from "node:sqlite";

import { unpackFormat1 } from "./format-1-rows.ts";
import { pack } from "./object-rows.ts";
import { recordHash } from "./records.ts";

interface OldRow {
  readonly id: number;
  readonly base: number | null;
  readonly depth: number;
  readonly data: Uint8Array;
}

/** Brings a store of format 1 over. Runs inside the transaction that raises its version. */
export function migrateFromFormat1(db: DatabaseSync, createTables: () => void): void {
  repackRows(db);
  const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
  for (const { name } of tables) db.exec(`ALTER TABLE ${String(name)} RENAME TO old_${String(name)}`);
  for (const index of ["checkpoints_by_object", "checkpoints_of_trail"]) db.exec(`DROP INDEX ${index}`);
  createTables();
  db.exec(`
    DELETE FROM counters;
    INSERT INTO meta SELECT * FROM old_meta;
    INSERT INTO counters SELECT * FROM old_counters;
    INSERT INTO objects SELECT * FROM old_objects;
    INSERT INTO ids SELECT * FROM old_ids;
    INSERT INTO tombstones SELECT * FROM old_tombstones;
    INSERT INTO trails SELECT id, name, head, 0 FROM old_trails;
    INSERT INTO checkpoints SELECT sequence, trail, object, key, created, parent,
      (SELECT min(foreign_id) FROM old_foreign_ids AS f WHERE f.trail = c.trail AND f.object = c.object)
      FROM old_checkpoints AS c;
    WITH RECURSIVE line(trail, parent) AS (
      SELECT trail, parent FROM checkpoints WHERE parent IS NOT NULL
      UNION SELECT line.trail, tombstones.parent FROM line JOIN tombstones ON hash = line.parent
    )
    INSERT OR IGNORE INTO forks SELECT substr(parent, 1, 16), trail FROM line
      WHERE EXISTS (SELECT 1 FROM ids JOIN checkpoints USING (object) WHERE hash = substr(line.parent, 1, 16))
      AND NOT EXISTS (SELECT 1 FROM ids JOIN checkpoints AS own USING (object)
        WHERE hash = substr(line.parent, 1, 16) AND own.trail = line.trail);
  `);
  const records = db.prepare(
    "SELECT lower(hex(hash)), object, key, value FROM old_records JOIN old_ids USING (object)",
  );
  records.setReturnArrays(true);
  const insert = db.prepare("INSERT INTO records VALUES (?, ?, ?, coalesce(?, x''))");
  type OldRecord = [id: string, object: number, key: string, value: Uint8Array];
  for (const [id, object, key, value] of records.all() as unknown as OldRecord[])
    insert.run(object, key, recordHash(id, key, value), value);
  for (const { name } of tables) db.exec(`DROP TABLE old_${String(name)}`);
}

/**
 * Repacks every object, newest first: what an object is a change of is always older, so it can still be read. One
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
