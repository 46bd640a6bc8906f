import { createReadStream } from "node:fs";
import { pipeline } from "node:stream";
import { createZstdDecompress } from "node:zlib";

import { cutLines, type RawLine } from "../../text/cut-lines.ts";

/** A longer line is not kept: no client writes such a one, and a text must fit into memory several times. */
const MAX_LINE_BYTES = 64 * 2 ** 20;

/** The lines of a file, one at a time, whatever its size. One client compresses its older files. */
export function readTranscript(path: string): AsyncGenerator<RawLine> {
  const file = createReadStream(path, { highWaterMark: 2 ** 18 });
  if (!path.endsWith(".zst")) return cutLines(file, MAX_LINE_BYTES);
  // An error of either reaches the reader of the lines, and a reader that stops early closes the file.
  return cutLines(
    pipeline(file, createZstdDecompress(), () => {}),
    MAX_LINE_BYTES,
  );
}
