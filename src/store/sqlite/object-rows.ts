import zlib from "node:zlib";

import { CheckpointError } from "../../errors.ts";
import { objectIdOf, type ObjectId } from "../../objects/object-id.ts";
import { damagedObject } from "../../objects/read-tree.ts";
import type { Connection } from "./connection.ts";
import { applyPatch, makePatch, MOST_EDITED } from "./patch.ts";

// Not imported by name: an older Node, which is refused in words, has none of them.
const { constants, zstdCompressSync, zstdDecompressSync } = zlib;

/** Where an object is kept, and how many others must be read to rebuild it. */
export interface RowRef {
  readonly row: number;
  readonly depth: number;
}

/** An object's bytes as they are stored: whole, or as a change of the object in row `base`. */
export interface PackedObject {
  readonly data: Uint8Array;
  readonly base: RowRef | undefined;
}

/** A longer chain would make reading slower: then the change is taken from the chain's first object instead. */
export const MAX_CHAIN = 32;

/** Shorter bytes do not get shorter. */
const WORTH_COMPRESSING = 100;

/** Levels of zstd: high for whole objects, which stay for long, medium for large ones, low with a dictionary. */
const [THOROUGH, QUICK, WITH_DICTIONARY] = [6, 3, 1];
const LARGE = 64 * 1024;

/** A zstd frame begins with this byte, and no object does. */
const ZSTD_MAGIC = 0x28;

/** What a row begins with that is a patch of its base, and one whose patch is compressed. */
const [PATCH_MARK, COMPRESSED_PATCH_MARK] = [0x01, 0x02];

/** How much of the end of a base is the dictionary of a long patch: more takes longer to digest than it saves. */
const DICTIONARY_BYTES = 1024;

/** Nothing that was stored is larger; a damaged row must not fill the memory. */
const MAX_BYTES = 1024 * 1024 * 1024;

/** Ids are looked up by half their hash: no two objects will share 128 bits, and reading checks all 256. */
export function keyOf(id: ObjectId): Uint8Array {
  return Buffer.from(id.slice(0, 32), "hex");
}

/** An object that another one may be stored as a change of. */
export interface Base {
  readonly ref: RowRef;
  readonly bytes: Uint8Array;
}

/** The shortest form to store. */
export function pack(bytes: Uint8Array, base?: Base): PackedObject {
  if (base) {
    const patch = makePatch(base.bytes, bytes);
    const data = patch ? packPatch(patch, base.bytes) : compressed(bytes, WITH_DICTIONARY, base.bytes);
    // A change of half the object's size or more is not worth a link in the chain.
    if (data.length * 2 < bytes.length) return { data, base: base.ref };
  }
  if (bytes.length < WORTH_COMPRESSING) return { data: bytes, base: undefined };
  const data = compressed(bytes, bytes.length > LARGE ? QUICK : THOROUGH);
  return { data: data.length < bytes.length ? data : bytes, base: undefined };
}

/** A short patch is hashes and numbers, which do not get shorter. */
function packPatch(patch: Uint8Array, base: Uint8Array): Uint8Array {
  if (patch.length <= MOST_EDITED) return Buffer.concat([Uint8Array.of(PATCH_MARK), patch]);
  const data = compressed(patch, WITH_DICTIONARY, base.subarray(-DICTIONARY_BYTES));
  return Buffer.concat([Uint8Array.of(COMPRESSED_PATCH_MARK), data]);
}

function compressed(bytes: Uint8Array, level: number, dictionary?: Uint8Array): Uint8Array {
  const params = { [constants.ZSTD_c_compressionLevel]: level };
  // Room for about what comes out: the default is many times that.
  const chunkSize = Math.max(1024, bytes.length >> 2);
  return zstdCompressSync(bytes, { params, chunkSize, ...(dictionary && { dictionary }) });
}

interface ObjectRow {
  readonly base: number | null;
  readonly data: Uint8Array;
}

/** Objects by id; what is missing is left out, what cannot be rebuilt is damaged. */
export function readObjectRows(connection: Connection, ids: readonly ObjectId[]): Map<ObjectId, Uint8Array> {
  const memo = new Map<number, Uint8Array>();
  const found = new Map<ObjectId, Uint8Array>();
  const find = connection.sql(
    "SELECT objects.id AS row, base, data FROM ids JOIN objects ON objects.id = ids.object WHERE hash = ?",
  );
  for (const id of ids) {
    const stored = find.get(keyOf(id)) as (ObjectRow & { readonly row: number }) | undefined;
    if (stored === undefined) continue;
    const bytes = unpack(connection, stored.row, memo, stored);
    if (bytes === undefined) throw damagedObject(id);
    found.set(id, bytes);
  }
  return found;
}

/**
 * Rebuilds an object's bytes. `memo` keeps the rows of one read, because neighbours share their bases;
 * `found` is the first row, if it has been read.
 */
export function unpack(
  connection: Connection,
  row: number,
  memo: Map<number, Uint8Array>,
  found?: ObjectRow,
): Uint8Array | undefined {
  const chain: { row: number; data: Uint8Array }[] = [];
  let bytes: Uint8Array | undefined;
  for (let at: number | null = row; at !== null && bytes === undefined;) {
    bytes = memo.get(at);
    if (bytes !== undefined) break;
    const stored: ObjectRow | undefined = found && at === row ? found : objectRow(connection, at);
    if (stored === undefined || !isSound(stored) || chain.length > MAX_CHAIN) return undefined;
    if (stored.base === null) {
      bytes = inflate(stored.data);
      if (bytes === undefined) return undefined;
      memo.set(at, bytes);
    } else {
      chain.push({ row: at, data: stored.data });
    }
    at = stored.base;
  }
  for (const { row: at, data } of chain.toReversed()) {
    bytes = inflate(data, bytes);
    if (bytes === undefined) return undefined;
    memo.set(at, bytes);
  }
  return bytes;
}

/** An object's bytes and full id, if they are what its id says, or the half of it that the index has. */
export function readSound(
  connection: Connection,
  row: number,
  id: string,
  memo = new Map<number, Uint8Array>(),
): { id: ObjectId; bytes: Uint8Array } | undefined {
  const bytes = unpack(connection, row, memo);
  const full = bytes && objectIdOf(bytes);
  return bytes && full?.startsWith(id) ? { id: full, bytes } : undefined;
}

function objectRow(connection: Connection, row: number): ObjectRow | undefined {
  return connection.sql("SELECT base, data FROM objects WHERE id = ?").get(row) as ObjectRow | undefined;
}

/** In a damaged file a column may hold anything. */
function isSound({ base, data }: ObjectRow): boolean {
  return data instanceof Uint8Array && (base === null || typeof base === "number");
}

/** Stores an object's bytes whole from now on, in the same row. */
export function storeWhole(connection: Connection, row: number, bytes: Uint8Array): void {
  connection
    .sql("UPDATE objects SET base = NULL, depth = 0, data = ? WHERE id = ?")
    .run(pack(bytes).data, row);
}

/** The whole object that a chain begins with. */
export function startOfChain(connection: Connection, row: number): Base | undefined {
  let start = row;
  for (let length = 0; length <= MAX_CHAIN; length++) {
    const stored = connection.sql("SELECT base FROM objects WHERE id = ?").get(start) as
      | { base: number | null }
      | undefined;
    if (stored === undefined || stored.base === null) break;
    start = stored.base;
  }
  const bytes = unpack(connection, start, new Map());
  return bytes && { ref: { row: start, depth: 0 }, bytes };
}

/** Undefined when the data is damaged beyond reading; other damage shows when the id is checked. */
function inflate(data: Uint8Array, base?: Uint8Array): Uint8Array | undefined {
  try {
    if (base === undefined) return data[0] === ZSTD_MAGIC ? decompressed(data) : data;
    if (data[0] === PATCH_MARK) return applyPatch(base, data.subarray(1));
    if (data[0] === COMPRESSED_PATCH_MARK)
      return applyPatch(base, decompressed(data.subarray(1), base.subarray(-DICTIONARY_BYTES)));
    return decompressed(data, base);
  } catch {
    return undefined;
  }
}

function decompressed(data: Uint8Array, dictionary?: Uint8Array): Uint8Array {
  // About as much room as is needed: the default is many times that, and costs more than decompressing.
  const chunkSize = Math.max(1024, dictionary ? dictionary.length + 1024 : data.length * 4);
  return zstdDecompressSync(data, {
    chunkSize,
    maxOutputLength: MAX_BYTES,
    ...(dictionary && { dictionary }),
  });
}

/** Where an object is, as of now. */
export function findRow(connection: Connection, id: ObjectId): RowRef | undefined {
  return connection
    .sql(
      "SELECT ids.object AS row, objects.depth AS depth FROM ids JOIN objects ON objects.id = ids.object WHERE hash = ?",
    )
    .get(keyOf(id)) as RowRef | undefined;
}

export function hexId(bytes: Uint8Array): ObjectId {
  // In a damaged file a column may hold anything.
  if (!((bytes as unknown) instanceof Uint8Array)) {
    throw new CheckpointError("corrupt", "The store holds something else where an id should be.", {
      hint: "checkpoint verify",
    });
  }
  return Buffer.from(bytes).toString("hex") as ObjectId;
}
