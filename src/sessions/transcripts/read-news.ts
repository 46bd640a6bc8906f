import { createHash } from "node:crypto";
import { closeSync, constants, fstatSync, openSync } from "node:fs";
import { basename, isAbsolute } from "node:path";
import type { Environment } from "../../capture/environment.ts";
import { readAt } from "../../capture/files/read-bounded.ts";
import type { TranscriptPosition } from "../../checkpoints/activity.ts";
import { parseJson } from "../../text/untrusted.ts";
import type { ClientName } from "../context.ts";
import type { TranscriptNews } from "../events/transcript-entry.ts";
import { type BegunCall, TranscriptWork } from "./transcript-work.ts";
import { TRANSCRIPTS } from "./transcripts.ts";

/** At most this much is read at once; of a longer part, the end. */
const MOST_BYTES = 16 * 2 ** 20;
/** Enough for the last turn. */
const TAIL_BYTES = 512 * 1024;
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
}

/** What is new in a session's transcript; undefined if there is none, or nothing new. Never throws. */
export function readNews(options: NewsOptions): TranscriptNews | undefined {
  const { client, sessionId, named, root } = options;
  const format = TRANSCRIPTS[client];
  const config = format?.folder(options.env);
  const isPlainId = /^[\w-]+$/.test(sessionId);
  const own = config && isPlainId ? format?.find(config, sessionId, options.folder) : undefined;
  // A name with the session's id cannot be any file that an attacker would like to have read.
  const isLikely = named !== undefined && isAbsolute(named) && basename(named).includes(sessionId);
  const path = own ?? (isLikely ? named : undefined);
  const part = path === undefined ? undefined : readPart(path, options.from, MOST_BYTES);
  if (part === undefined) return undefined;
  const work = workOf(client, part.lines, root);
  const open = work.openCalls()[0]?.begun;
  // A call that still runs is read again, with its result.
  const entries = work.takeEntries().slice(0, open?.entries);
  const to = open === undefined ? part.end() : part.end(open.line - 1);
  const { model, context_tokens: contextTokens } = work.session;
  return { read: { from: part.from, to }, isClients: own !== undefined, entries, model, contextTokens };
}

/** The calls whose results are missing at the end of a transcript: they were running when the client was killed. */
export function callsInFlight(client: ClientName, path: string | undefined): readonly BegunCall[] {
  const part = path !== undefined && isAbsolute(path) ? readPart(path, undefined, TAIL_BYTES) : undefined;
  return part === undefined ? [] : workOf(client, part.lines, "").openCalls();
}

function workOf(client: ClientName, lines: readonly string[], root: string): TranscriptWork {
  const work = new TranscriptWork({ client, session_id: "", path: "" }, { root });
  const format = TRANSCRIPTS[client];
  const reader = format?.reader(work);
  for (const line of lines) {
    // Counted even if it is passed over: the number tells where a call began.
    const value = line === "" || format?.lines?.test(line) === false ? undefined : parseJson(line);
    const at = work.line(value);
    if (value !== undefined) reader?.read(value, at);
  }
  reader?.end?.();
  return work;
}

interface FilePart {
  readonly lines: readonly string[];
  readonly from: TranscriptPosition | undefined;
  /** Where the part ends, or where its first so many lines end. */
  readonly end: (lines?: number) => TranscriptPosition;
}

/** The whole lines after a position. Undefined if there are none, or if it is not a readable regular file. */
function readPart(path: string, from: TranscriptPosition | undefined, most: number): FilePart | undefined {
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
    const start = Math.max(known?.bytes ?? 0, stats.size - most);
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
  } catch {
    return undefined;
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
