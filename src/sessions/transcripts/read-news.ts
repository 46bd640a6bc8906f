import { createHash } from "node:crypto";
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { isAbsolute } from "node:path";
import type { TranscriptPosition } from "../../checkpoints/activity.ts";
import { parseJson } from "../../text/untrusted.ts";
import type { TranscriptNews } from "../events/transcript-entry.ts";
import { TRANSCRIPTS } from "./transcript-formats.ts";
import { type SessionPlace, TranscriptWork } from "./transcript-work.ts";

/** At most this much is read at once; of a longer part, the end. */
const MOST_BYTES = 16 * 2 ** 20;
const DIGESTED_BYTES = 256;

export interface NewsOptions extends SessionPlace {
  readonly root: string;
  /** Where the last reader stopped. */
  readonly from: TranscriptPosition | undefined;
  /** The file that an event names: read if the client's own cannot be found, but never believed to be that. */
  readonly named?: string | undefined;
}

/** What is new in a session's transcript; undefined if there is none, or nothing new. Never throws. */
export function readNews(options: NewsOptions): TranscriptNews | undefined {
  const { client, sessionId, named, root } = options;
  const format = TRANSCRIPTS[client];
  if (format === undefined) return undefined;
  const own = format.find(options);
  // A path with the session's id cannot be any file that an attacker would like to have read.
  const isLikely = named !== undefined && isAbsolute(named) && named.includes(sessionId);
  const path = own ?? (isLikely ? named : undefined);
  const part = path === undefined ? undefined : partOf(path, options);
  if (path === undefined || part === undefined) return undefined;
  const work = new TranscriptWork({ client, session_id: sessionId, path }, { root });
  const reader = format.reader(work);
  for (const line of part.lines) {
    // Counted even if it is passed over: the number tells where a call began.
    const value = line === "" || format.lines?.test(line) === false ? undefined : parseJson(line);
    const at = work.line(value);
    if (value !== undefined) reader.read(value, at);
  }
  reader.end?.();
  const open = work.firstOpenCall();
  // A call that still runs is read again, with its result.
  const entries = work.takeEntries().slice(0, open?.entries);
  const to = open === undefined ? part.end() : part.end(open.line - 1);
  return {
    read: { from: part.from, to },
    isClients: own !== undefined,
    entries,
    goal: work.goal,
    inFlight: work.openCommands(),
  };
}

function partOf(path: string, { client, sessionId, from }: NewsOptions): FilePart | undefined {
  try {
    const read = TRANSCRIPTS[client]?.part;
    return read === undefined ? readPart(path, from) : read(path, sessionId, from);
  } catch {
    return undefined;
  }
}

export interface FilePart {
  readonly lines: readonly string[];
  readonly from: TranscriptPosition | undefined;
  /** Where the part ends, or where its first so many lines end. */
  readonly end: (lines?: number) => TranscriptPosition;
}

/** The whole lines after a position. Undefined if there are none, or if it is no regular file. */
function readPart(path: string, from: TranscriptPosition | undefined): FilePart | undefined {
  let file: number | undefined;
  try {
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const stats = fstatSync(file);
    if (!stats.isFile()) return undefined;
    const isSame =
      from !== undefined &&
      from.bytes <= stats.size &&
      digestOf(bytesBefore(file, from.bytes)) === from.digest;
    const known = isSame ? from : undefined;
    const start = Math.max(known?.bytes ?? 0, stats.size - MOST_BYTES);
    const before = bytesBefore(file, start);
    const bytes = readAt(file, start, stats.size - start);
    // The last line may still be incomplete: it is read the next time.
    const end = bytes.lastIndexOf(10) + 1;
    if (end === 0) return undefined;
    const all = bytes.toString("utf8", 0, end - 1).split("\n");
    const skipped = start > (known?.bytes ?? 0) ? 1 : 0;
    const position = (count = Infinity): TranscriptPosition => {
      const length = count >= all.length - skipped ? end : lengthOf(bytes, count + skipped);
      const read = Buffer.concat([before, bytes.subarray(Math.max(0, length - DIGESTED_BYTES), length)]);
      return { bytes: start + length, digest: digestOf(read.subarray(-DIGESTED_BYTES)) };
    };
    return { lines: all.slice(skipped), from: known, end: position };
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** How many bytes the first lines take. */
function lengthOf(bytes: Buffer, lines: number): number {
  let end = 0;
  for (let line = 0; line < lines; line += 1) end = bytes.indexOf(10, end) + 1;
  return end;
}

function bytesBefore(file: number, end: number): Buffer {
  const start = Math.max(0, end - DIGESTED_BYTES);
  return readAt(file, start, end - start);
}

function digestOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex").slice(0, 16);
}

function readAt(file: number, start: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  let filled = 0;
  while (filled < length) {
    const count = readSync(file, bytes, filled, length - filled, start + filled);
    if (count === 0) break;
    filled += count;
  }
  return bytes.subarray(0, filled);
}
