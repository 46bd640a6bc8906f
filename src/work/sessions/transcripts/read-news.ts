import { createHash } from "node:crypto";
import { closeSync, constants, fstatSync, openSync } from "node:fs";
import { isAbsolute } from "node:path";
import type { Environment } from "../../machine/environment.ts";
import { readAt } from "../../machine/read-bounded.ts";
import type { TranscriptPosition } from "../../state/activity.ts";
import { parseJson } from "../../../core/text/untrusted.ts";
import type { ClientName } from "../clients/clients.ts";
import type { TranscriptNews } from "../events/transcript-entry.ts";
import { TranscriptWork } from "./transcript-work.ts";
import type { TranscriptFormat, TranscriptPart } from "./transcript.ts";
import { TRANSCRIPTS } from "./transcripts.ts";

/** At most this much is read at once; of a longer part, the end. */
const MOST_BYTES = 16 * 2 ** 20;
const DIGESTED_BYTES = 256;

export interface NewsOptions {
  readonly client: ClientName;
  readonly sessionId: string;
  readonly env: Environment;
  /** The folder that the session was started in. */
  readonly folder: string;
  readonly root: string;
  /** Where the last reader stopped. */
  readonly from: TranscriptPosition | undefined;
  /** The file that an event names: read if the client's own cannot be found, but never believed to be that. */
  readonly named?: string | undefined;
  /** Whether the client has ended: then a call without a result never gets one. */
  readonly isOver?: boolean | undefined;
}

/** What is new in a session's transcript; undefined if there is none, or nothing new. Never throws. */
export function readNews(options: NewsOptions): TranscriptNews | undefined {
  const { client, sessionId, named, root } = options;
  const format = TRANSCRIPTS[client];
  if (format === undefined) return undefined;
  const config = format.folder(options.env);
  const isPlainId = /^[\w-]+$/.test(sessionId);
  const own = config && isPlainId ? format.find(config, sessionId, options.folder) : undefined;
  // A path with the session's id cannot be any file that an attacker would like to have read.
  const isLikely = named !== undefined && isAbsolute(named) && named.includes(sessionId);
  const path = own ?? (isLikely ? named : undefined);
  const part = path === undefined ? undefined : partOf(path, format, options);
  if (part === undefined) return undefined;
  const work = workOf(part.lines, format, { client, root });
  const open = options.isOver === true ? undefined : work.firstOpenCall();
  // A call that still runs is read again, with its result.
  const entries = work.takeEntries().slice(0, open?.entries);
  const to = open === undefined ? part.end() : part.end(open.line - 1);
  const { model, context_tokens: contextTokens } = work.session;
  return {
    read: { from: part.from, to },
    isClients: own !== undefined,
    entries,
    model,
    contextTokens,
    goal: work.goal,
    inFlight: work.openCommands(),
  };
}

function workOf(
  lines: readonly string[],
  format: TranscriptFormat,
  { client, root }: Pick<NewsOptions, "client" | "root">,
): TranscriptWork {
  const work = new TranscriptWork({ client, session_id: "", path: "" }, { root });
  const reader = format.reader(work);
  for (const line of lines) {
    // Counted even if it is passed over: the number tells where a call began.
    const value = line === "" || format.isTelling?.(line) === false ? undefined : parseJson(line);
    const at = work.line(value);
    if (value !== undefined) reader.read(value, at);
  }
  reader.end?.();
  return work;
}

function partOf(
  path: string,
  { part }: TranscriptFormat,
  { sessionId, from }: NewsOptions,
): TranscriptPart | undefined {
  try {
    return part === undefined ? readPart(path, from) : part(path, sessionId, from);
  } catch {
    return undefined;
  }
}

/** The whole lines after a position. Undefined if there are none, or if it is no regular file. */
function readPart(path: string, from: TranscriptPosition | undefined): TranscriptPart | undefined {
  let file: number | undefined;
  try {
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const stats = fstatSync(file);
    if (!stats.isFile()) return undefined;
    const digestBefore = (end: number) =>
      digestOf(readAt(file!, Math.max(0, end - DIGESTED_BYTES), Math.min(end, DIGESTED_BYTES)));
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
    if (file !== undefined) closeSync(file);
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
