import { constants, zstdCompressSync, zstdDecompressSync } from "node:zlib";

import type { ObjectId } from "../../objects/object-id.ts";
import type { Connection } from "./connection.ts";

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

/** More would save little and make reading slower. */
const MAX_DEPTH = 16;

/** Shorter bytes do not get shorter. */
const WORTH_COMPRESSING = 100;

const OPTIONS = { params: { [constants.ZSTD_c_compressionLevel]: 3 } };

/** A zstd frame begins with this byte; an object never does, so whole rows need no mark. */
const ZSTD_MAGIC = 0x28;

/** Ids are looked up by half their hash: no two objects will share 128 bits, and reading checks all 256. */
export function keyOf(id: ObjectId): Uint8Array {
  return Buffer.from(id.slice(0, 32), "hex");
}

/** The shortest form to store. `base` is used if its chain is not too long already. */
export function pack(
  bytes: Uint8Array,
  base?: { readonly ref: RowRef; readonly bytes: Uint8Array },
): PackedObject {
  if (base && base.ref.depth < MAX_DEPTH) {
    const data = zstdCompressSync(bytes, { ...OPTIONS, dictionary: base.bytes });
    // A change that is no small part of the whole is not worth a link in the chain.
    if (data.length * 2 < bytes.length) return { data, base: base.ref };
  }
  if (bytes.length < WORTH_COMPRESSING) return { data: bytes, base: undefined };
  const data = zstdCompressSync(bytes, OPTIONS);
  return { data: data.length < bytes.length ? data : bytes, base: undefined };
}

interface ObjectRow {
  readonly base: number | null;
  readonly data: Uint8Array;
}

/** Rebuilds an object's bytes. `memo` keeps the rows of one read, because neighbours share their bases. */
export function unpack(
  connection: Connection,
  row: number,
  memo: Map<number, Uint8Array>,
): Uint8Array | undefined {
  const chain: { row: number; data: Uint8Array }[] = [];
  let bytes: Uint8Array | undefined;
  for (let at: number | null = row; at !== null && bytes === undefined;) {
    bytes = memo.get(at);
    if (bytes !== undefined) break;
    const stored = connection.sql("SELECT base, data FROM objects WHERE id = ?").get(at) as
      | ObjectRow
      | undefined;
    if (stored === undefined || chain.length > MAX_DEPTH) return undefined;
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

/** Undefined when the data is damaged beyond decompression; other damage shows when the id is checked. */
function inflate(data: Uint8Array, dictionary?: Uint8Array): Uint8Array | undefined {
  if (dictionary === undefined && data[0] !== ZSTD_MAGIC) return data;
  try {
    return zstdDecompressSync(data, dictionary && { dictionary });
  } catch {
    return undefined;
  }
}

/** Where an object is, as of now. */
export function findRow(connection: Connection, id: ObjectId): RowRef | undefined {
  return connection
    .sql(
      "SELECT ids.object AS row, objects.depth AS depth FROM ids JOIN objects ON objects.id = ids.object WHERE hash = ?",
    )
    .get(keyOf(id)) as RowRef | undefined;
}
