import { createHash } from "node:crypto";
import { closeSync, constants, fstatSync, openSync } from "node:fs";
import { isAbsolute } from "node:path";
import { readAt } from "../../machine/read-bounded.ts";
import type { TranscriptPosition } from "../../state/activity.ts";
import { parseJson } from "../../../core/text/untrusted.ts";
import type { ClientName } from "../../clients/clients.ts";
import type { ActivityUpdate } from "../events/transcript-entry.ts";
import { TranscriptWork } from "./transcript-work.ts";
import type { TranscriptFormat, TranscriptPart, TranscriptSession } from "./transcript.ts";
import { TRANSCRIPTS } from "./transcripts.ts";

/** Of a longer part, only the end is read. */
const MOST_BYTES = 16 * 2 ** 20;
const DIGESTED_BYTES = 256;

export interface ActivityQuery extends TranscriptSession {
  readonly client: ClientName;
  readonly root: string;
  /** Where the last reader stopped. */
  readonly from: TranscriptPosition | undefined;
  /** The file that an event names: read if the client's own cannot be found, but never believed to be that. */
  readonly named?: string | undefined;
  /** Whether the client has ended: then a call without a result never gets one. */
  readonly isOver?: boolean | undefined;
}

/** What is new in a session's transcript; undefined if there is none, or nothing new. Never throws. */
export function readActivity(options: ActivityQuery): ActivityUpdate | undefined {
  const { client, sessionId, named, root } = options;
  const format = TRANSCRIPTS[client];
  if (format === undefined) return undefined;
  // The id becomes part of a path, and must not lead anywhere else.
  const own = /^[\w-]+$/.test(sessionId) ? format.find(options) : undefined;
  // A path with the session's id cannot be any file that an attacker would like to have read.
  const isLikely = named !== undefined && isAbsolute(named) && named.includes(sessionId);
  const path = own ?? (isLikely ? named : undefined);
  const part = path === undefined ? undefined : partOf(path, format, options);
  if (part === undefined) return undefined;
  const work = workOf(part.lines, format, root);
  const open = options.isOver === true ? undefined : work.firstOpenCall();
  // A call that still runs is read again, with its result.
  const entries = work.takeEntries().slice(0, open?.entries);
  const to = open === undefined ? part.end() : part.end(open.line - 1);
  return {
    read: { from: part.from, to },
    isClients: own !== undefined,
    entries,
    model: work.session.model,
    goal: work.goal,
    branch: work.branch,
    inFlight: work.openCommands(),
  };
}

function workOf(lines: readonly string[], format: TranscriptFormat, root: string): TranscriptWork {
  const work = new TranscriptWork(root);
  const reader = format.reader(work);
  for (const line of lines) {
    // Counted even if it is passed over: the number tells where a call began.
    const value = line === "" || format.isTelling?.(line) === false ? undefined : parseJson(line);
    const at = work.line(value);
    if (value !== undefined) reader(value, at);
  }
  return work;
}

function partOf(
  path: string,
  { part }: TranscriptFormat,
  { sessionId, from }: ActivityQuery,
): TranscriptPart | undefined {
  try {
    return part === undefined ? readPart(path, from) : part(path, sessionId, from);
  } catch {
    return undefined;
  }
}

/** The whole lines after a position. Undefined if there are none, or if it is not a regular file. */
function readPart(path: string, from: TranscriptPosition | undefined): TranscriptPart | undefined {
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) return undefined;
    const digestBefore = (end: number) =>
      digestOf(readAt(file, Math.max(0, end - DIGESTED_BYTES), Math.min(end, DIGESTED_BYTES)));
    const isSame = from && from.bytes <= stats.size && digestBefore(from.bytes) === from.digest;
    const known = isSame ? from : undefined;
    const start = Math.max(known?.bytes ?? 0, stats.size - MOST_BYTES);
    // With what is digested of the bytes before it.
    const head = Math.min(start, DIGESTED_BYTES);
    const bytes = readAt(file, start - head, stats.size - start + head);
    const { lines, ends } = wholeLines(bytes, head);
    // The first line is cut if the part does not begin where the last reader stopped.
    const skipped = start > (known?.bytes ?? 0) ? 1 : 0;
    if (ends.length === 0) return undefined;
    const endOf = (count = Infinity): TranscriptPosition => {
      const to = ends[Math.min(count + skipped, ends.length) - 1] ?? head;
      const digest = digestOf(bytes.subarray(Math.max(0, to - DIGESTED_BYTES), to));
      return { bytes: start - head + to, digest };
    };
    return { lines: lines.slice(skipped), from: known, end: endOf };
  } finally {
    closeSync(file);
  }
}

/**
 * The lines from a place on, and where each ends. The last one may still be incomplete: it is read the next time. Each
 * is decoded by itself, because one character beyond Latin-1 doubles the size of the whole string that holds it.
 */
function wholeLines(bytes: Buffer, from: number): { lines: string[]; ends: number[] } {
  const lines: string[] = [];
  const ends: number[] = [];
  for (let start = from, end; (end = bytes.indexOf(10, start)) >= 0; start = end + 1) {
    lines.push(bytes.toString("utf8", start, end));
    ends.push(end + 1);
  }
  return { lines, ends };
}

function digestOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex").slice(0, 16);
}
