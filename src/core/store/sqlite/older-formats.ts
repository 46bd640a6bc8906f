import type { DatabaseSync } from "node:sqlite";
import zlib from "node:zlib";

import { pack } from "../packing.ts";
import { applyPatch, readNumber } from "../patch.ts";
import { recordHash } from "./records.ts";

interface OldRow {
  readonly id: number;
  readonly base: number | null;
  readonly depth: number;
  readonly data: Uint8Array;
}

/** The bytes of an object as an older format stored it. Throws, or returns other bytes, when they are damaged. */
type UnpackOld = (data: Uint8Array, base: Uint8Array | undefined) => Uint8Array | undefined;

/** Brings a store of format 2 over: only its rows were packed in another way. Runs inside the transaction that raises its version. */
export function migrateFromFormat2(db: DatabaseSync): void {
  repackRows(db, unpackFormat2);
}

/** Brings a store of format 1 over. Runs inside the transaction that raises its version. */
export function migrateFromFormat1(db: DatabaseSync, createTables: () => void): void {
  repackRows(db, unpackFormat1);
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
function repackRows(db: DatabaseSync, unpackOld: UnpackOld): void {
  const find = db.prepare("SELECT id, base, depth, data FROM objects WHERE id = ?");
  const previous = db.prepare("SELECT max(id) AS id FROM objects WHERE id < ?");
  const update = db.prepare("UPDATE objects SET base = ?, depth = ?, data = ? WHERE id = ?");
  const rowAt = (id: number) => find.get(id) as unknown as OldRow | undefined;
  const before = (id: number) => (previous.get(id) as { id: number | null }).id;
  const bytesOf = (row: OldRow | undefined): Uint8Array | undefined => {
    if (row === undefined) return undefined;
    try {
      const base = row.base === null ? undefined : bytesOf(rowAt(row.base));
      return row.base !== null && base === undefined ? undefined : unpackOld(row.data, base);
    } catch {
      return undefined;
    }
  };
  for (let id = before(Number.MAX_SAFE_INTEGER); id !== null; id = before(id)) {
    const row = rowAt(id) as OldRow;
    const base = row.base === null ? undefined : bytesOf(rowAt(row.base));
    const bytes = bytesOf(row);
    if (bytes === undefined) continue;
    const from = base && { ref: { row: row.base as number, depth: row.depth - 1 }, bytes: base };
    const packed = pack(bytes, from);
    // The depth is kept, though one less may do: it counts what stands above this row at most.
    update.run(packed.base?.row ?? null, packed.base ? row.depth : 0, packed.data, id);
  }
}

/** How format 1 packed objects: whole ones also deflated, the others as what two texts do not share. */
const ZSTD_MAGIC = 0x28;
const DEFLATE_MARK = 0x01;
const EDITS_MARK = 0x07;

/** How much of the base a deflated change was made with: more where much of it lies between the shared ends. */
const [WINDOW, LARGE_WINDOW, LARGE] = [4 * 1024, 32 * 1024, 1024];

const unpackFormat1: UnpackOld = (data, base) => {
  if (base) return changed(base, data);
  if (data[0] === DEFLATE_MARK) return zlib.inflateRawSync(data.subarray(1));
  return data[0] === ZSTD_MAGIC ? zlib.zstdDecompressSync(data) : data;
};

function changed(base: Uint8Array, change: Uint8Array): Uint8Array {
  const front = readNumber(change, 0);
  const end = readNumber(change, front.end);
  const middle = change.subarray(end.end);
  const between =
    middle[0] === EDITS_MARK
      ? (applyPatch(base.subarray(front.value, base.length - end.value), middle.subarray(1)) as Uint8Array)
      : zlib.inflateRawSync(middle, { dictionary: dictionaryAt(base, front.value, end.value) });
  return Buffer.concat([base.subarray(0, front.value), between, base.subarray(base.length - end.value)]);
}

function dictionaryAt(base: Uint8Array, front: number, end: number): Uint8Array {
  const window = base.length - front - end > LARGE ? LARGE_WINDOW : WINDOW;
  const start = Math.max(0, Math.min(front - window / 2, base.length - window));
  return base.subarray(start, start + window);
}

/** How format 2 packed changes: as the words that are replaced, and as what follows a list that got longer, deflated. */
const [WORDS_MARK, CONTINUATION_MARK] = [0x01, 0x02];

const unpackFormat2: UnpackOld = (data, base) => {
  if (base === undefined) return data[0] === ZSTD_MAGIC ? zlib.zstdDecompressSync(data) : data;
  if (data[0] === WORDS_MARK) return replacedWords(base, data);
  if (data[0] === CONTINUATION_MARK)
    return Buffer.concat([base.subarray(0, -1), zlib.inflateRawSync(data.subarray(1))]);
  return zlib.zstdDecompressSync(data, { dictionary: base });
};

/** Each word, between quotation marks, that is replaced: how many are kept before it, and the new one, in hex if its number is odd. */
function replacedWords(base: Uint8Array, patch: Uint8Array): Uint8Array {
  const words = Buffer.from(base).toString("latin1").split('"');
  for (let [at, word] = [1, 0]; at < patch.length; word++) {
    const keep = readNumber(patch, at);
    const put = readNumber(patch, keep.end);
    word += keep.value;
    const bytes = Buffer.from(patch.subarray(put.end, (at = put.end + Math.floor(put.value / 2))));
    if (word < words.length) words[word] = bytes.toString(put.value % 2 === 1 ? "hex" : "latin1");
  }
  return Buffer.from(words.join('"'), "latin1");
}
