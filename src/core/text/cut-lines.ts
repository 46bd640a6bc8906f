/** A line of a file that may be longer than memory. */
export interface RawLine {
  /** Counted from 1, as editors do. */
  readonly number: number;
  /** Without its line end. Empty for a line that is too long. */
  readonly bytes: Buffer;
  /** Whether a line end follows. Only the last line of a file may lack one: its writer may have died. */
  readonly isComplete: boolean;
  /** How long the line was, when it was too long to keep. */
  readonly tooLongBytes?: number;
}

const LINE_FEED = 10;

/** Cuts a stream of bytes into lines. Never holds more than one line and one chunk. */
export async function* cutLines(
  chunks: AsyncIterable<Uint8Array>,
  maxLineBytes: number,
): AsyncGenerator<RawLine> {
  let parts: Uint8Array[] = [];
  let length = 0;
  let number = 0;
  const take = (isComplete: boolean): RawLine => {
    const isTooLong = length > maxLineBytes;
    const bytes = isTooLong ? Buffer.alloc(0) : Buffer.concat(parts);
    const line = { number: ++number, bytes, isComplete, ...(isTooLong ? { tooLongBytes: length } : {}) };
    parts = [];
    length = 0;
    return line;
  };
  const add = (part: Uint8Array) => {
    length += part.length;
    // Copied, because a stream may use its buffer again for the next chunk.
    if (length <= maxLineBytes) parts.push(Uint8Array.from(part));
    else parts = [];
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
      add(chunk.subarray(start, end));
      yield take(true);
      start = end + 1;
    }
    if (start < chunk.length) add(chunk.subarray(start));
  }
  if (length > 0) yield take(false);
}
