import { readTail } from "./read-tail.ts";

/** Enough for a long conversation; it is read once a prompt. */
const SEARCHED_BYTES = 16 * 1024 * 1024;
/** How a line begins that replaces the whole conversation, and how a summary does. Enough of it to tell two apart. */
const REPLACED = '{"$set":{"messages":';
const SUMMARY = /<state_snapshot>(?:(?!<\/state_snapshot>).){0,500}/gs;

/**
 * How often Gemini CLI has compacted a conversation. It announces a compaction before every request to the model, and
 * compacts only when there is need; then it writes the conversation anew, with a summary at its beginning.
 */
export function countCompactions(path: string | undefined): number {
  const lines = readTail(path, SEARCHED_BYTES);
  const summaries = lines
    .filter((line) => line.startsWith(REPLACED))
    .flatMap((line) => line.match(SUMMARY) ?? []);
  return new Set(summaries).size;
}
