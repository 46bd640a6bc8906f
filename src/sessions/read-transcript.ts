import { isAbsolute } from "node:path";
import { readBounded } from "../capture/files/read-bounded.ts";
import { own, parseJson, textOf } from "../text/untrusted.ts";

// What clients write into their transcripts but do not tell their hooks. The formats are internal to the clients, so
// anything may be missing.

/** Enough for the last turns. */
const TAIL_BYTES = 512 * 1024;
/** Enough for a long conversation; read once a prompt in Gemini CLI, and when a session is resumed. */
const CONVERSATION_BYTES = 16 * 1024 * 1024;

/** The lines of Claude Code's transcript that hold messages of the session itself, oldest first. */
function messagesOf(path: string | undefined): unknown[] {
  return readTail(path, TAIL_BYTES)
    .filter((line) => /"type":"(?:assistant|user)"/.test(line))
    .map((line) => parseJson(line))
    .filter((line) => own(line, "isSidechain") !== true);
}

/** The model that answered last, and how many tokens the conversation had then. */
export interface ModelUse {
  readonly model?: string | undefined;
  readonly contextTokens?: number | undefined;
}

export function lastModelUse(path: string | undefined): ModelUse {
  const last = messagesOf(path).findLast((line) => textOf(own(line, "message"), "model") !== undefined);
  const message = own(last, "message");
  return {
    model: textOf(message, "model")?.slice(0, 200),
    contextTokens: tokensIn(own(message, "usage")),
  };
}

/** How many tokens an answer took, with all that was read for it; undefined if it does not say. */
export function tokensIn(usage: unknown): number | undefined {
  const counts = ["input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens", "output_tokens"]
    .map((name) => own(usage, name))
    .filter((count) => typeof count === "number" && Number.isSafeInteger(count) && count >= 0) as number[];
  return counts.length === 0 ? undefined : counts.reduce((sum, count) => sum + count, 0);
}

/** The start of a line that replaces the whole conversation, and of a summary: enough to tell two summaries apart. */
const REPLACED = '{"$set":{"messages":';
const SUMMARY = /<state_snapshot>(?:(?!<\/state_snapshot>).){0,500}/gs;

/**
 * How often Gemini CLI has compacted a conversation. It announces a compaction before every request to the model, but
 * compacts only when it needs to; then it rewrites the conversation, with a summary at the beginning.
 */
export function countCompactions(path: string | undefined): number {
  const lines = readTail(path, CONVERSATION_BYTES);
  const summaries = lines
    .filter((line) => line.startsWith(REPLACED))
    .flatMap((line) => line.match(SUMMARY) ?? []);
  return new Set(summaries).size;
}

/** Lines with text from hooks, and of compactions. Quotes within texts are escaped, so nothing that was quoted matches. */
const TOLD = /"type":"hook_additional_context"|"role":"developer"/;
const COMPACTED = /"subtype":"compact_boundary"|"type":"compacted"/;
const RECORD =
  /Cairn(?:'s| kept this) record of your session.*?checkpoint load (?<id>ckpt-[\w-]{1,80}) --json/;

/** What a transcript tells of the records that hooks gave to the conversation. */
export interface RecordInContext {
  /** The checkpoint whose record was given last, since the last compaction. */
  readonly id?: string | undefined;
  /** Whether the conversation was compacted and has been given no record since. */
  readonly isLost: boolean;
}

export function recordInContext(path: string | undefined): RecordInContext {
  const lines = readTail(path, CONVERSATION_BYTES);
  const compactedAt = lines.findLastIndex((line) => COMPACTED.test(line));
  const told = lines.slice(compactedAt + 1).findLast((line) => TOLD.test(line) && RECORD.test(line));
  const id = told === undefined ? undefined : RECORD.exec(told)?.groups?.["id"];
  return { id, isLost: id === undefined && compactedAt >= 0 };
}

/** The last whole lines of a transcript, oldest first; none if it cannot be read. Never throws. */
function readTail(path: string | undefined, bytes: number): string[] {
  if (path === undefined || !isAbsolute(path)) return [];
  const tail = readBounded(path, bytes, "end").bytes?.toString("utf8") ?? "";
  const lines = tail.split("\n");
  // The first line may have been cut; the last one may still be incomplete.
  return (Buffer.byteLength(tail) < bytes ? lines : lines.slice(1)).slice(0, -1);
}
