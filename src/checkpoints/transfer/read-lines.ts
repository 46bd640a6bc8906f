import { createHash, type Hash } from "node:crypto";

import { damagedLine, MAX_LINE_BYTES } from "./trail-file.ts";

export interface FileLine {
  /** Counted from 1, as editors do. */
  readonly number: number;
  readonly bytes: Uint8Array;
  /** The SHA-256 of everything before this line. */
  readonly before: () => string;
}

const LINE_FEED = 10;

/** Cuts a stream of bytes into lines. Never holds more than one line and one chunk. */
export async function* readLines(
  chunks: AsyncIterable<Uint8Array>,
  source: string,
): AsyncGenerator<FileLine> {
  const hash = createHash("sha256");
  let parts: Uint8Array[] = [];
  let length = 0;
  let number = 0;
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
      parts.push(chunk.subarray(start, end));
      const bytes = Buffer.concat(parts);
      yield lineOf(++number, bytes, hash);
      hash.update(bytes).update("\n");
      parts = [];
      length = 0;
      start = end + 1;
    }
    if (start === chunk.length) continue;
    length += chunk.length - start;
    if (length > MAX_LINE_BYTES)
      throw damagedLine(source, number + 1, `it is longer than ${MAX_LINE_BYTES} bytes`);
    // Copied, because a stream may use its buffer again for the next chunk.
    parts.push(Uint8Array.from(chunk.subarray(start)));
  }
  if (parts.length > 0) yield lineOf(++number, Buffer.concat(parts), hash);
}

function lineOf(number: number, bytes: Uint8Array, hash: Hash): FileLine {
  return { number, bytes, before: () => hash.copy().digest("hex") };
}
