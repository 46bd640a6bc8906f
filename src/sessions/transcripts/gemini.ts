import { linesAtEnd } from "./transcript.ts";

/** Enough for a long conversation; read once a prompt. */
const CONVERSATION_BYTES = 16 * 2 ** 20;
/** The start of a line that replaces the whole conversation, and of a summary: enough to tell two summaries apart. */
const REPLACED = '{"$set":{"messages":';
const SUMMARY = /<state_snapshot>(?:(?!<\/state_snapshot>).){0,500}/gs;

/**
 * How often Gemini CLI has compacted a conversation. It announces a compaction before every request to the model, but
 * compacts only when it needs to; then it rewrites the conversation, with a summary at the beginning.
 */
export function countCompactions(path: string | undefined): number {
  const summaries = linesAtEnd(path, CONVERSATION_BYTES)
    .filter((line) => line.startsWith(REPLACED))
    .flatMap((line) => line.match(SUMMARY) ?? []);
  return new Set(summaries).size;
}
