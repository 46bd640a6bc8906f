import { Transform, type TransformCallback } from "node:stream";

const NEWLINE = 10;
/** How much of a line that was too long is kept, to find out who waits for an answer. */
const KEPT_BYTES = 2048;

/** What is left of a line that was too long. */
export interface LongLine {
  readonly start: string;
  readonly end: string;
  readonly bytes: number;
}

/**
 * Passes whole lines on, each in one piece, and leaves out those that are too long: one huge message must neither end
 * the connection nor fill the memory.
 */
export class WholeLines extends Transform {
  readonly #maxBytes: number;
  readonly #onLongLine: (line: LongLine) => void;
  #pieces: Buffer[] = [];
  #bytes = 0;
  #start = Buffer.alloc(0);
  #end = Buffer.alloc(0);

  constructor(maxBytes: number, onLongLine: (line: LongLine) => void) {
    super();
    this.#maxBytes = maxBytes;
    this.#onLongLine = onLongLine;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
      this.#add(chunk.subarray(from, at + 1));
      this.#endLine();
      from = at + 1;
    }
    if (from < chunk.length) this.#add(chunk.subarray(from));
    done();
  }

  #add(piece: Buffer): void {
    this.#bytes += piece.length;
    if (this.#start.length < KEPT_BYTES)
      this.#start = Buffer.concat([this.#start, piece.subarray(0, KEPT_BYTES - this.#start.length)]);
    if (this.#bytes <= this.#maxBytes) {
      this.#pieces.push(piece);
      return;
    }
    const last = Buffer.concat([...this.#pieces.slice(-1), this.#end, piece]);
    this.#pieces = [];
    this.#end = Buffer.from(last.subarray(-KEPT_BYTES));
  }

  #endLine(): void {
    if (this.#bytes <= this.#maxBytes) this.push(Buffer.concat(this.#pieces));
    else
      this.#onLongLine({
        start: this.#start.toString("utf8"),
        end: this.#end.toString("utf8"),
        bytes: this.#bytes,
      });
    this.#pieces = [];
    this.#bytes = 0;
    this.#start = Buffer.alloc(0);
    this.#end = Buffer.alloc(0);
  }
}
