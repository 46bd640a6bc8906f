import { createReadStream } from "node:fs";
import { pipeline } from "node:stream";
import { createZstdDecompress } from "node:zlib";

/** A longer line is not kept: no client writes such a one, and a text must fit into memory several times. */
const MAX_LINE_BYTES = 64 * 2 ** 20;

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

/** The lines of a file, one at a time, whatever its size. One client compresses its older files. */
export function readTranscript(path: string): AsyncGenerator<RawLine> {
  const file = createReadStream(path, { highWaterMark: 2 ** 18 });
  if (!path.endsWith(".zst")) return cutLines(file);
  // An error of either reaches the reader of the lines, and a reader that stops early closes the file.
  return cutLines(pipeline(file, createZstdDecompress(), () => {}));
}

async function* cutLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<RawLine> {
  let parts: Buffer[] = [];
  let length = 0;
  let number = 0;
  const take = (isComplete: boolean): RawLine => {
    const isTooLong = length > MAX_LINE_BYTES;
    const bytes = isTooLong ? Buffer.alloc(0) : Buffer.concat(parts);
    const line = { number: ++number, bytes, isComplete, ...(isTooLong ? { tooLongBytes: length } : {}) };
    parts = [];
    length = 0;
    return line;
  };
  const add = (part: Buffer) => {
    length += part.length;
    if (length > MAX_LINE_BYTES) parts = [];
    else parts.push(part);
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
