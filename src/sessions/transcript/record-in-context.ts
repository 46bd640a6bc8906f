import { readTail } from "./read-tail.ts";

/** Enough for a long conversation; it is read only when a session is resumed. */
const SEARCHED_BYTES = 16 * 1024 * 1024;

/** Lines of hooks' texts and of compactions. Quotes inside of texts are escaped, so nobody else's words match. */
const TOLD = /"type":"hook_additional_context"|"role":"developer"/;
const COMPACTED = /"subtype":"compact_boundary"|"type":"compacted"/;
const RECORD =
  /Cairn(?:'s| kept this) record of your session.*?checkpoint load (?<id>ckpt-[\w-]{1,80}) --json/;

/** The checkpoint whose record the conversation holds, told by a hook since its last compaction. */
export function recordInContext(path: string | undefined): string | undefined {
  const lines = readTail(path, SEARCHED_BYTES);
  const since = lines.slice(lines.findLastIndex((line) => COMPACTED.test(line)) + 1);
  const told = since.findLast((line) => TOLD.test(line) && RECORD.test(line));
  return told === undefined ? undefined : RECORD.exec(told)?.groups?.["id"];
}
