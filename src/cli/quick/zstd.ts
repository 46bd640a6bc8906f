import { BackwardBits, fseTable, readFseTable, type FseTable } from "./zstd-bits.ts";
import { LiteralsReader } from "./zstd-literals.ts";

/** The frames that are read here tell their size, and it is no more than this. */
const MOST_BYTES = 64 * 1024;

/**
 * What a short zstd frame (RFC 8878) was. Throws for whatever is damaged or unusual: then Node's own has to judge. The
 * checksum is not looked at, because whoever reads an object compares its hash.
 */
export function unzstd(data: Uint8Array): Uint8Array {
  const { size, start } = frameHeader(data);
  const frame = new Frame(new Uint8Array(size));
  for (let [at, isLast] = [start, false]; !isLast;) {
    const header = numberIn(data, at, 3);
    const [kind, length] = [(header >> 1) & 3, header >> 3];
    isLast = (header & 1) === 1;
    at += 3;
    const end = at + (kind === 1 ? 1 : length);
    if (kind === 3 || end > data.length) throw unusual();
    const block = data.subarray(at, end);
    if (kind === 0) frame.append(block);
    else if (kind === 1) frame.append(new Uint8Array(Math.min(length, size + 1)).fill(block[0] as number));
    else frame.readBlock(block);
    at = end;
    if (isLast && at !== data.length) throw unusual();
  }
  return frame.whole();
}

function frameHeader(data: Uint8Array): { size: number; start: number } {
  const descriptor = data[4] as number;
  const isSingle = (descriptor >> 5) & 1;
  const sizeBytes = [isSingle, 2, 4, 8][descriptor >> 6] as number;
  // No dictionary, no checksum, no reserved bits.
  if (numberIn(data, 0, 4) !== 0xfd2fb528 || (descriptor & 0x1f) !== 0 || sizeBytes === 0) throw unusual();
  const at = isSingle ? 5 : 6;
  const size = numberIn(data, at, sizeBytes) + (sizeBytes === 2 ? 256 : 0);
  if (size > MOST_BYTES) throw unusual();
  return { size, start: at + sizeBytes };
}

function numberIn(data: Uint8Array, at: number, bytes: number): number {
  let value = 0;
  for (let index = bytes - 1; index >= 0; index--) value = value * 256 + (data[at + index] ?? Number.NaN);
  if (Number.isNaN(value)) throw unusual();
  return value;
}

function unusual(): RangeError {
  return new RangeError("Damaged data, or unusual.");
}

/** A kind of number in sequences: the base values and extra bits of its codes, and how likely these usually are. */
interface Kind {
  readonly from: readonly number[];
  readonly extra: readonly number[];
  readonly usual: () => FseTable;
}

/** Extra bits as [how many codes, bits]; each code begins where the one before ends. */
function kind(first: number, runs: readonly (readonly [number, number])[], usual: () => FseTable): Kind {
  const extra = runs.flatMap(([count, bits]) => Array<number>(count).fill(bits));
  let next = first;
  return { from: extra.map((bits) => (next += 2 ** bits) - 2 ** bits), extra, usual };
}

const each = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) => [1, from + at] as const);
const times = (count: number, value: number) => Array<number>(count).fill(value);

/** RFC 8878, 3.1.1.3.2: codes and their usual distributions. */
const LITERALS = kind(0, [[16, 0], [4, 1], [2, 2], [2, 3], [1, 4], ...each(6, 17)], () =>
  fseTable([4, 3, ...times(11, 2), 1, 1, 1, ...times(9, 2), 3, 2, ...times(5, 1), ...times(4, -1)], 6),
);
const MATCHES = kind(3, [[32, 0], [4, 1], [2, 2], [2, 3], [2, 4], [1, 5], ...each(7, 17)], () =>
  fseTable([1, 4, 3, ...times(6, 2), ...times(37, 1), ...times(7, -1)], 6),
);
const OFFSETS = kind(1, each(0, 25), () =>
  fseTable([...times(6, 1), 2, 2, 2, ...times(15, 1), ...times(5, -1)], 5),
);

/** The content of a frame as it comes out, and what one block leaves to the next. */
class Frame {
  readonly #out: Uint8Array;
  readonly #literals = new LiteralsReader();
  readonly #tables = new Map<Kind, FseTable>();
  #offsets = [1, 4, 8] as [number, number, number];
  #end = 0;

  constructor(out: Uint8Array) {
    this.#out = out;
  }

  whole(): Uint8Array {
    if (this.#end !== this.#out.length) throw unusual();
    return this.#out;
  }

  append(bytes: Uint8Array): void {
    // More than there is room for is an error of its own.
    this.#out.set(bytes, this.#end);
    this.#end += bytes.length;
  }

  readBlock(block: Uint8Array): void {
    const { literals, end } = this.#literals.read(block);
    let at = end;
    let count = block[at++] ?? 0;
    if (count === 255) throw unusual();
    if (count > 127) count = ((count - 128) << 8) + (block[at++] as number);
    let used = 0;
    if (count > 0) {
      const modes = block[at++] as number;
      const tables = [LITERALS, OFFSETS, MATCHES].map((each, index) => {
        const read = this.#table(each, (modes >> (6 - 2 * index)) & 3, block, at);
        at = read.end;
        return read.table;
      }) as [FseTable, FseTable, FseTable];
      used = this.#runSequences(count, tables, new BackwardBits(block.subarray(at)), literals);
    }
    this.append(literals.subarray(used));
  }

  #table(kind: Kind, mode: number, block: Uint8Array, at: number): { table: FseTable; end: number } {
    let [table, end] = [this.#tables.get(kind), at];
    if (mode === 0) table = kind.usual();
    else if (mode === 1)
      [table, end] = [{ log: 0, symbols: [block[at] as number], bits: [0], from: [0] }, at + 1];
    else if (mode === 2) ({ table, end } = readFseTable(block, at, kind.extra.length));
    if (table === undefined) throw unusual();
    this.#tables.set(kind, table);
    return { table, end };
  }

  /** Each sequence says how many literals come next, and what is repeated after them. Returns how many were used. */
  #runSequences(
    count: number,
    [lengths, offsets, matches]: readonly [FseTable, FseTable, FseTable],
    bits: BackwardBits,
    literals: Uint8Array,
  ): number {
    let used = 0;
    let [length, offset, match] = [bits.take(lengths.log), bits.take(offsets.log), bits.take(matches.log)];
    for (let left = count; left > 0; left--) {
      const value = valueOf(OFFSETS, offsets, offset, bits);
      const repeated = valueOf(MATCHES, matches, match, bits);
      const plain = valueOf(LITERALS, lengths, length, bits);
      if (used + plain > literals.length) throw unusual();
      this.append(literals.subarray(used, (used += plain)));
      this.#repeat(this.#distance(value, plain), repeated);
      if (left === 1) break;
      length = lengths.from[length]! + bits.take(lengths.bits[length]!);
      match = matches.from[match]! + bits.take(matches.bits[match]!);
      offset = offsets.from[offset]! + bits.take(offsets.bits[offset]!);
    }
    if (!bits.isAtEnd) throw unusual();
    return used;
  }

  /** The first three values mean one of the last three distances. */
  #distance(value: number, plain: number): number {
    const [first, second, third] = this.#offsets;
    const which = value > 3 ? 4 : value + (plain === 0 ? 1 : 0);
    if (which === 1) return first;
    if (which === 2) this.#offsets = [second, first, third];
    else if (which === 3) this.#offsets = [third, first, second];
    else this.#offsets = [value > 3 ? value - 3 : first - 1, first, second];
    return this.#offsets[0];
  }

  #repeat(distance: number, length: number): void {
    const from = this.#end - distance;
    if (distance < 1 || from < 0 || this.#end + length > this.#out.length) throw unusual();
    for (let at = 0; at < length; at++) this.#out[this.#end + at] = this.#out[from + at]!;
    this.#end += length;
  }
}

function valueOf({ from, extra }: Kind, { symbols }: FseTable, state: number, bits: BackwardBits): number {
  const code = symbols[state] as number;
  const first = from[code];
  if (first === undefined) throw unusual();
  return first + bits.take(extra[code] as number);
}
