import { BackwardBits, readFseTable } from "./zstd-bits.ts";

/** For each beginning of `log` bits the symbol, and how many of these bits are its code. */
interface HuffmanTable {
  readonly log: number;
  readonly symbols: Uint8Array;
  readonly bits: Uint8Array;
}

/** Reads the bytes of a block that are no repetitions: RFC 8878, 3.1.1.3.1. A block may use the code of the one before. */
export class LiteralsReader {
  #table: HuffmanTable | undefined;

  read(block: Uint8Array): { literals: Uint8Array; end: number } {
    const first = block[0] as number;
    const [kind, form] = [first & 3, (first >> 2) & 3];
    if (kind < 2) return plainLiterals(block, kind === 1, form);
    if (form === 3) throw new RangeError("More literals than a short frame has.");
    const [start, width] = form === 2 ? [4, 14] : [3, 10];
    const header = (block[0]! | (block[1]! << 8) | (block[2]! << 16) | (block[3]! << 24)) >>> 4;
    const [size, packed] = [header & ((1 << width) - 1), (header >>> width) & ((1 << width) - 1)];
    const end = start + packed;
    if (end > block.length) throw new RangeError("Literals without an end.");
    let at = start;
    if (kind === 2) ({ table: this.#table, end: at } = readHuffman(block, start));
    if (this.#table === undefined) throw new RangeError("Literals without a code.");
    const literals = new Uint8Array(size);
    readStreams(block.subarray(at, end), form === 0 ? 1 : 4, this.#table, literals);
    return { literals, end };
  }
}

function plainLiterals(
  block: Uint8Array,
  isRepeated: boolean,
  form: number,
): { literals: Uint8Array; end: number } {
  const [first, second = 0, third = 0] = block as unknown as [number, number?, number?];
  const start = form === 1 ? 2 : form === 3 ? 3 : 1;
  const size = start === 1 ? first >> 3 : (first >> 4) | (second << 4) | (start === 3 ? third << 12 : 0);
  if (isRepeated) return { literals: new Uint8Array(size).fill(block[start] as number), end: start + 1 };
  if (start + size > block.length) throw new RangeError("Literals without an end.");
  return { literals: block.subarray(start, start + size), end: start + size };
}

/** One stream, or four of equal length but for the last, after the lengths of the first three. */
function readStreams(data: Uint8Array, count: number, table: HuffmanTable, out: Uint8Array): void {
  if (count === 1) return readStream(data, table, out);
  const share = (out.length + 3) >> 2;
  for (let index = 0, at = 6; index < 4; index++) {
    const end = index < 3 ? at + (data[2 * index]! | (data[2 * index + 1]! << 8)) : data.length;
    const isLast = index === 3;
    readStream(
      data.subarray(at, end),
      table,
      out.subarray(index * share, isLast ? undefined : (index + 1) * share),
    );
    at = end;
  }
}

function readStream(data: Uint8Array, { log, symbols, bits: lengths }: HuffmanTable, out: Uint8Array): void {
  const bits = new BackwardBits(data);
  for (let at = 0; at < out.length; at++) {
    const found = bits.peek(log);
    out[at] = symbols[found]!;
    bits.skip(lengths[found]!);
  }
  if (!bits.isAtEnd) throw new RangeError("Literals that do not fill their stream.");
}

/** A code is described by weights, four bits each or in a code of their own: RFC 8878, 4.2.1. */
function readHuffman(block: Uint8Array, start: number): { table: HuffmanTable; end: number } {
  const head = block[start] as number;
  if (head < 128) {
    const end = start + 1 + head;
    return { table: huffmanTable(packedWeights(block.subarray(start + 1, end))), end };
  }
  const weights = Array.from({ length: head - 127 }, (_, at) => {
    const two = block[start + 1 + (at >> 1)] as number;
    return at % 2 === 0 ? two >> 4 : two & 15;
  });
  return { table: huffmanTable(weights), end: start + 1 + ((weights.length + 1) >> 1) };
}

/** Two states take turns until the bits are used up; the other one still has a symbol then. */
function packedWeights(data: Uint8Array): number[] {
  const { table, end } = readFseTable(data, 0, 256);
  const bits = new BackwardBits(data.subarray(end));
  const weights: number[] = [];
  let [state, other] = [bits.take(table.log), bits.take(table.log)];
  while (weights.length < 255) {
    weights.push(table.symbols[state]!);
    const next = table.from[state]! + bits.take(table.bits[state]!);
    if (bits.isBeyondEnd) return [...weights, table.symbols[other]!];
    [state, other] = [other, next];
  }
  throw new RangeError("More weights than symbols.");
}

/** The last weight is not written: it fills what the others leave. */
function huffmanTable(written: readonly number[]): HuffmanTable {
  const sum = written.reduce((total, weight) => total + (weight === 0 ? 0 : 1 << (weight - 1)), 0);
  const log = 32 - Math.clz32(sum);
  const rest = (1 << log) - sum;
  if (sum === 0 || log > 11 || (rest & (rest - 1)) !== 0) throw new RangeError("Weights that do not add up.");
  const weights = [...written, 32 - Math.clz32(rest)];
  const table = { log, symbols: new Uint8Array(1 << log), bits: new Uint8Array(1 << log) };
  for (let weight = 1, at = 0; weight <= log; weight++) {
    for (const [symbol, own] of weights.entries()) {
      if (own !== weight) continue;
      const end = at + (1 << (weight - 1));
      table.symbols.fill(symbol, at, end);
      table.bits.fill(log + 1 - weight, at, end);
      at = end;
    }
  }
  return table;
}
