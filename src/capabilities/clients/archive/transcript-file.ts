import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { pipeline } from "node:stream";
import { createZstdDecompress } from "node:zlib";
import { cutLines, type RawLine } from "../../../core/text/cut-lines.ts";
import { parseJson } from "../../../core/text/untrusted.ts";
import type { ClientName } from "../../../work/clients/clients.ts";

/** A file in which a client recorded a session, or one of its sub-agents. */
export interface TranscriptFile {
  readonly client: ClientName;
  readonly session_id: string;
  /** Set for the file of a sub-agent. */
  readonly agent_id: string | null;
  readonly path: string;
  /** The folder that the session worked in, as far as the file says. */
  readonly cwd: string | null;
  readonly modifiedAt: Date;
}

/** A session with the files of its sub-agents. */
export interface RecordedSession {
  readonly main: TranscriptFile;
  readonly agents: readonly TranscriptFile[];
}

/** A longer line is not kept: no client writes one, and a text must fit into memory several times. */
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

/** How far into a file is looked for what it is about. */
const MAX_LINES = 200;

/** The first thing that is found in the first lines of a transcript. Undefined when there is nothing, or no such file. */
export async function peek<T>(path: string, find: (line: unknown) => T | undefined): Promise<T | undefined> {
  try {
    for await (const { bytes, number } of readTranscript(path)) {
      const found = find(parseJson(bytes.toString("utf8")));
      if (found !== undefined) return found;
      if (number >= MAX_LINES) return undefined;
    }
  } catch {
    // A file that cannot be read is reported when it is imported, not while files are looked for.
  }
  return undefined;
}

/** What the system says of a file; undefined if it is none. */
export async function fileAt(path: string): Promise<Pick<TranscriptFile, "path" | "modifiedAt"> | undefined> {
  const found = await stat(path).catch(() => undefined);
  return found?.isFile() ? { path, modifiedAt: found.mtime } : undefined;
}
