/** Writes bytes and numbers one after the other, up to a limit. What comes after it is not written. */
export class ByteWriter {
  readonly #bytes: Uint8Array;
  #length = 0;

  constructor(limit: number) {
    this.#bytes = new Uint8Array(limit + 1);
  }

  /** Starts anew in the same memory. */
  clear(): void {
    this.#length = 0;
  }

  /** Whether more was written than the limit. */
  get isFull(): boolean {
    return this.#length >= this.#bytes.length;
  }

  /** A copy of what was written. */
  written(): Uint8Array {
    return Buffer.from(this.#bytes.subarray(0, this.#length));
  }

  byte(value: number): void {
    if (!this.isFull) this.#bytes[this.#length++] = value;
  }

  bytes(values: Uint8Array): void {
    const room = this.#bytes.length - this.#length;
    this.#bytes.set(values.length > room ? values.subarray(0, room) : values, this.#length);
    this.#length += Math.min(values.length, room);
  }

  /** Seven bits a byte, the lowest first; the highest bit says that more follow. */
  number(value: number): void {
    let rest = value;
    for (; rest >= 128; rest = Math.floor(rest / 128)) this.byte((rest % 128) + 128);
    this.byte(rest);
  }
}

/** The number that begins at `start`, and where it ends. */
export function numberAt(bytes: Uint8Array, start: number): { value: number; next: number } {
  let value = 0;
  for (let at = start, factor = 1; ; at++, factor *= 128) {
    const byte = bytes[at] ?? 0;
    value += (byte % 128) * factor;
    if (byte < 128) return { value, next: at + 1 };
  }
}

/** The same bytes, with the methods of a Buffer. */
export const asBuffer = (bytes: Uint8Array) =>
  bytes instanceof Buffer ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
