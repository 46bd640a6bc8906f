import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { isAbsolute } from "node:path";
import { pipeline } from "node:stream";
import { createZstdDecompress } from "node:zlib";
import type { Environment } from "../../machine/environment.ts";
import { readBounded } from "../../machine/read-bounded.ts";
import { cutLines, type RawLine } from "../../../core/text/cut-lines.ts";
import { parseJson } from "../../../core/text/untrusted.ts";
import type { TranscriptPosition } from "../../state/activity.ts";
import type { ClientName } from "../../clients/clients.ts";
import type { TranscriptWork } from "./transcript-work.ts";

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
  readonly sizeBytes: number;
}

/** A session with the files of its sub-agents. */
export interface RecordedSession {
  readonly main: TranscriptFile;
  readonly agents: readonly TranscriptFile[];
}

/** How a client records its sessions. The formats are internal to the clients: nothing is taken for granted. */
export interface TranscriptFormat {
  /** Whether a line may tell of the work; the others are not even parsed. */
  readonly isTelling?: (line: string) => boolean;
  readonly reader: (work: TranscriptWork) => LineReader;
  /** The client's configuration folder; undefined when nothing says where the user's home is. */
  readonly folder: (env: Environment) => string | undefined;
  /** The file that the client itself keeps for a session that was started in `started`. */
  readonly find: (folder: string, sessionId: string, started: string) => string | undefined;
  /** What is new of a session where that is no file of lines. */
  readonly part?: (
    path: string,
    sessionId: string,
    from: TranscriptPosition | undefined,
  ) => TranscriptPart | undefined;
  /** How often a conversation was compacted, where only its transcript says so. */
  readonly compactions?: (path: string | undefined) => number;
  /** All sessions, or those that may be of a project, or may have been written to since then: to be imported. */
  readonly sessions?: (folder: string, root?: string, since?: Date) => Promise<RecordedSession[]>;
  /** One session by its file. */
  readonly session?: (path: string) => Promise<RecordedSession | undefined>;
}

/** What is new of a transcript. */
export interface TranscriptPart {
  readonly lines: readonly string[];
  readonly from: TranscriptPosition | undefined;
  /** Where the part ends, or where its first so many lines end. */
  readonly end: (lines?: number) => TranscriptPosition;
}

/** Reads the lines of one client's transcript. */
export interface LineReader {
  read(line: unknown, at: string): void;
  /** Called after the last line. */
  end?(): void;
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
export async function fileAt(
  path: string,
): Promise<Pick<TranscriptFile, "path" | "modifiedAt" | "sizeBytes"> | undefined> {
  const found = await stat(path).catch(() => undefined);
  return found?.isFile() ? { path, modifiedAt: found.mtime, sizeBytes: found.size } : undefined;
}

/** The last whole lines of a transcript, oldest first; none if it cannot be read. Never throws. */
export function linesAtEnd(path: string | undefined, bytes: number): string[] {
  if (path === undefined || !isAbsolute(path)) return [];
  const tail = readBounded(path, bytes, "end").bytes?.toString("utf8") ?? "";
  const lines = tail.split("\n");
  // The first line may have been cut; the last one may still be incomplete.
  return (Buffer.byteLength(tail) < bytes ? lines : lines.slice(1)).slice(0, -1);
}
