import { CheckpointError } from "../../errors.ts";
import { formatPath, type Json } from "../../objects/json.ts";
import { MAX_DEPTH, MAX_STATE_CHARS } from "../../objects/limits.ts";
import { cut } from "../../text/cut.ts";

/**
 * Parses JSON from elsewhere. Refuses, with the path, what `JSON.parse` would silently change: integers
 * beyond 2^53 that it rounds, numbers too large for any float, keys that stand twice; and nesting too deep for other readers.
 */
export function parseForeignJson(text: string, source: string): Json {
  if (text.length > MAX_STATE_CHARS) {
    throw refused(
      source,
      `has more than ${MAX_STATE_CHARS} characters`,
      "Split it, or keep large content in files of its own.",
    );
  }
  // Editors on Windows put a mark before the text that JSON does not know.
  const plain = text.startsWith("\uFEFF") ? text.slice(1) : text;
  let value: Json;
  try {
    value = JSON.parse(plain) as Json;
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : "it is invalid";
    throw refused(source, `is not JSON: ${why.slice(0, 120)}`, "Check that the file is complete.", cause);
  }
  refuseLosses(plain, source);
  return value;
}

/** A list or an object that the walk is inside of. */
interface JsonLevel {
  /** The keys so far, in an object. */
  readonly keys: Set<string> | undefined;
  /** The key or position that the next value stands at. */
  at: string | number;
}

/** All that matters in JSON: quotes, escapes so that theirs do not count, brackets, separators and numbers. */
const TOKEN = /(?:\\.)+|["{}[\],:]|-?\d[\d.eE+-]*/g;

/** Walks over text that is known to be JSON, once, without recursion. */
function refuseLosses(text: string, source: string): void {
  const levels: JsonLevel[] = [];
  const place = () => formatPath(levels.map(({ at }) => at));
  let quote: number | undefined;
  let lastString = "";
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    const level = levels.at(-1);
    if (token === '"') {
      if (quote !== undefined) lastString = text.slice(quote, index + 1);
      quote = quote === undefined ? index : undefined;
    } else if (quote !== undefined) continue;
    else if (token === ":" && level) {
      level.at = JSON.parse(lastString) as string;
      if (level.keys?.has(level.at))
        throw refused(source, `has the key ${place()} twice`, "Remove one of the two.");
      level.keys?.add(level.at);
    } else if (token === "{" || token === "[") {
      if (levels.length >= depthLimit(levels)) throw tooDeep(source, levels);
      levels.push(token === "{" ? { keys: new Set(), at: "" } : { keys: undefined, at: 0 });
    } else if (token === "}" || token === "]") levels.pop();
    else if (token === ",") {
      if (typeof level?.at === "number") level.at += 1;
    } else if (isLossy(token))
      throw refused(
        source,
        `has the number ${cut(token, 40)} at ${place()}, which cannot be kept exactly`,
        "Write it as a string.",
      );
  }
}

/** A state may nest as deep as the encoder lets it, also when it stands whole under `state` in a document. */
function depthLimit(levels: readonly JsonLevel[]): number {
  return levels[0]?.at === "state" ? MAX_DEPTH + 1 : MAX_DEPTH;
}

/** Some integers beyond 2^53 are exact, and our own exports may hold them: those read back as they were written. */
function isLossy(digits: string): boolean {
  const value = Number(digits);
  const isInteger = /^-?\d+$/.test(digits);
  return !Number.isFinite(value) || (isInteger && value !== 0 && String(value) !== digits);
}

function tooDeep(source: string, levels: readonly JsonLevel[]): CheckpointError {
  const place = formatPath(levels.slice(0, 8).map(({ at }) => at));
  return refused(
    source,
    `nests deeper than ${MAX_DEPTH} levels, below ${place}`,
    "Flatten the value, or store it as a string.",
  );
}

function refused(source: string, why: string, hint: string, cause?: unknown): CheckpointError {
  return new CheckpointError("usage", `"${source}" ${why}.`, { hint, details: { source }, cause });
}
