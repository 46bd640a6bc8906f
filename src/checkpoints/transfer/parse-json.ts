import { CheckpointError } from "../../errors.ts";
import { formatPath, type Json } from "../../objects/json.ts";
import { MAX_DEPTH, MAX_STATE_CHARS } from "../../objects/limits.ts";
import { cut } from "../../text/cut.ts";

/**
 * Parses JSON from elsewhere. Refuses, with the path, what `JSON.parse` would silently change: integers
 * beyond 2^53 that it rounds, numbers too large for any float, keys that stand twice; and nesting too deep for other readers.
 */
export function parseJson(text: string, source: string): Json {
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
  expectsKey: boolean;
}

const NUMBER = /-?\d+(\.\d+)?([eE][+-]?\d+)?/y;

/** Walks over text that is known to be JSON, once, without recursion. */
function refuseLosses(text: string, source: string): void {
  const frames: JsonLevel[] = [];
  const place = () => formatPath(frames.map(({ at }) => at));
  for (let index = 0; index < text.length; index++) {
    const frame = frames.at(-1);
    const char = text[index] as string;
    if (char === '"') {
      const end = endOfString(text, index);
      if (frame?.expectsKey) {
        frame.at = JSON.parse(text.slice(index, end + 1)) as string;
        frame.expectsKey = false;
        if (frame.keys?.has(frame.at)) {
          throw refused(source, `has the key ${place()} twice`, "Remove one of the two.");
        }
        frame.keys?.add(frame.at);
      }
      index = end;
    } else if (char === "{" || char === "[") {
      if (frames.length >= depthLimit(frames)) throw tooDeep(source, frames);
      const isObject = char === "{";
      frames.push({ keys: isObject ? new Set() : undefined, at: isObject ? "" : 0, expectsKey: isObject });
    } else if (char === "}" || char === "]") {
      frames.pop();
    } else if (char === "," && frame) {
      if (frame.keys) frame.expectsKey = true;
      else frame.at = (frame.at as number) + 1;
    } else if (char === "-" || (char >= "0" && char <= "9")) {
      index += checkNumber(text, index, source, place) - 1;
    }
  }
}

/** A state may nest as deep as the encoder lets it, also when it stands whole under `state` in a document. */
function depthLimit(frames: readonly JsonLevel[]): number {
  return frames[0]?.at === "state" ? MAX_DEPTH + 1 : MAX_DEPTH;
}

/** Returns how many characters the number has. */
function checkNumber(text: string, index: number, source: string, place: () => string): number {
  NUMBER.lastIndex = index;
  const [digits, fraction, exponent] = NUMBER.exec(text) as RegExpExecArray;
  const value = Number(digits);
  const isInteger = fraction === undefined && exponent === undefined;
  // Some integers beyond 2^53 are exact, and our own exports may hold them: those read back as they were written.
  const isChanged = isInteger && value !== 0 && String(value) !== digits;
  if (!Number.isFinite(value) || isChanged) {
    throw refused(
      source,
      `has the number ${cut(digits, 40)} at ${place()}, which cannot be kept exactly`,
      "Write it as a string.",
    );
  }
  return digits.length;
}

/** The index of the closing quote of a string that begins at `start` of valid JSON. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); ; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text[end - 1 - backslashes] === "\\") backslashes++;
    if (backslashes % 2 === 0) return end;
  }
}

function tooDeep(source: string, frames: readonly JsonLevel[]): CheckpointError {
  const place = formatPath(frames.slice(0, 8).map(({ at }) => at));
  return refused(
    source,
    `nests deeper than ${MAX_DEPTH} levels, below ${place}`,
    "Flatten the value, or store it as a string.",
  );
}

function refused(source: string, why: string, hint: string, cause?: unknown): CheckpointError {
  return new CheckpointError("usage", `"${source}" ${why}.`, { hint, details: { source }, cause });
}
