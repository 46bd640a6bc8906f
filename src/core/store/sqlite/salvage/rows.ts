import type { FoundPage, StorePages } from "./pages.ts";

/** What a column may hold. Numbers with a fraction are in no table. */
export type Value = null | number | string | Uint8Array;

/** A row as it stands in a page: of a table with its number, of an index without. */
export interface FoundRow {
  readonly rowid: number | undefined;
  readonly values: readonly Value[];
}

const [INDEX_INTERIOR, INDEX_LEAF, TABLE_LEAF] = [0x02, 0x0a, 0x0d];

/** Nothing that was stored is larger; a damaged length must not fill the memory. */
const MAX_ROW_BYTES = 1024 * 1024 * 1024;

/**
 * The rows in a page, by the rules of SQLite's file format (sqlite.org/fileformat2.html). A page of anything else has none,
 * and a damaged row is left out: whoever uses the rows checks what they say.
 */
export function* rowsIn(pages: StorePages, page: FoundPage): Generator<FoundRow> {
  const bytes = pages.read(page);
  if (bytes === undefined) return;
  const start = page.number === 1 ? 100 : 0;
  const kind = bytes[start];
  if (kind !== TABLE_LEAF && kind !== INDEX_LEAF && kind !== INDEX_INTERIOR) return;
  const pointers = start + (kind === INDEX_INTERIOR ? 12 : 8);
  const cells = Math.min(bytes.readUInt16BE(start + 3), (bytes.length - pointers) >> 1);
  for (let cell = 0; cell < cells; cell++) {
    try {
      const row = readCell(pages, page, bytes, { kind, at: bytes.readUInt16BE(pointers + 2 * cell) });
      if (row !== undefined) yield row;
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
    }
  }
}

function readCell(
  pages: StorePages,
  page: FoundPage,
  bytes: Buffer,
  cell: { readonly kind: number; readonly at: number },
): FoundRow | undefined {
  const isTable = cell.kind === TABLE_LEAF;
  const [length, afterLength] = varint(bytes, cell.at + (cell.kind === INDEX_INTERIOR ? 4 : 0));
  const [rowid, start] = isTable ? varint(bytes, afterLength) : [undefined, afterLength];
  if (length === 0 || length > MAX_ROW_BYTES) return undefined;
  const local = localBytes(length, pages.usableBytes, isTable);
  if (start + local > bytes.length) return undefined;
  const head = bytes.subarray(start, start + local);
  const payload =
    local === length ? head : withOverflow(pages, page, head, length, bytes.readUInt32BE(start + local));
  return payload && { rowid, values: columnsOf(payload) };
}

/** How much of a row is in its own page; the rest is in a chain of others. */
function localBytes(length: number, usable: number, isTable: boolean): number {
  const most = isTable ? usable - 35 : Math.floor(((usable - 12) * 64) / 255) - 23;
  if (length <= most) return length;
  const least = Math.floor(((usable - 12) * 32) / 255) - 23;
  const rest = least + ((length - least) % (usable - 4));
  return rest <= most ? rest : least;
}

function withOverflow(
  pages: StorePages,
  page: FoundPage,
  head: Buffer,
  length: number,
  first: number,
): Buffer | undefined {
  const parts = [head];
  let missing = length - head.length;
  for (let next = first; missing > 0;) {
    const bytes = next === 0 ? undefined : pages.readBeside(page, next);
    if (bytes === undefined) return undefined;
    parts.push(bytes.subarray(4, 4 + Math.min(missing, pages.usableBytes - 4)));
    missing -= pages.usableBytes - 4;
    next = bytes.readUInt32BE(0);
  }
  return Buffer.concat(parts);
}

function columnsOf(payload: Buffer): Value[] {
  const values: Value[] = [];
  const [headerBytes, first] = varint(payload, 0);
  let at = headerBytes;
  for (let header = first; header < headerBytes;) {
    const [type, next] = varint(payload, header);
    const bytes = columnBytes(type);
    if (at + bytes > payload.length) throw new RangeError("A column reaches beyond its row.");
    values.push(valueOf(type, payload.subarray(at, at + bytes)));
    at += bytes;
    header = next;
  }
  return values;
}

const INTEGER_BYTES = [0, 1, 2, 3, 4, 6, 8] as const;

function columnBytes(type: number): number {
  if (type >= 12) return (type - 12 - (type % 2)) / 2;
  return INTEGER_BYTES[type] ?? (type === 7 ? 8 : 0);
}

function valueOf(type: number, bytes: Buffer): Value {
  if (type === 0) return null;
  if (type >= 12) return type % 2 === 0 ? new Uint8Array(bytes) : bytes.toString("utf8");
  if (type === 8 || type === 9) return type - 8;
  if (type === 6) return Number(bytes.readBigInt64BE(0));
  return type <= 5 ? bytes.readIntBE(0, bytes.length) : null;
}

/** SQLite's numbers of one to nine bytes, with where the next thing begins. */
function varint(bytes: Buffer, at: number): [value: number, next: number] {
  let value = 0n;
  for (let index = 0; index < 9; index++) {
    const byte = bytes.readUInt8(at + index);
    if (index === 8) return [Number(BigInt.asIntN(64, (value << 8n) | BigInt(byte))), at + 9];
    value = (value << 7n) | BigInt(byte & 0x7f);
    if (byte < 0x80) return [Number(value), at + index + 1];
  }
  throw new RangeError("unreachable");
}
