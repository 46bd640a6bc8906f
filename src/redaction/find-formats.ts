import type { Format } from "./format.ts";
import { PLATFORM_FORMATS } from "./platform-formats.ts";
import { SERVICE_FORMATS } from "./service-formats.ts";
import type { Span } from "./span.ts";

interface CompiledFormat {
  readonly rule: string;
  readonly start: string;
  readonly pattern: RegExp;
  readonly lengthBefore: number;
}

/** The formats by the first two characters of their fixed beginning, those with the longest first. */
const BY_PAIR: ReadonlyMap<number, readonly CompiledFormat[]> = compile([
  ...PLATFORM_FORMATS,
  ...SERVICE_FORMATS,
]);

/** Whether any beginning starts with this pair: one look-up rules out nearly every word of a text. */
const IS_PAIR: Uint8Array = new Uint8Array(128 * 128);
for (const pair of BY_PAIR.keys()) IS_PAIR[pair] = 1;

/** A table again, and for the same reason: this is asked at every character of every long word. */
const IS_ALPHANUMERIC: Uint8Array = new Uint8Array(65_536);
for (let code = 0; code < 128; code += 1) {
  if (/[A-Za-z0-9]/.test(String.fromCharCode(code))) IS_ALPHANUMERIC[code] = 1;
}

/** Adds the secrets in `text.slice(start, end)`, a run of token characters, that a fixed beginning announces. */
export function findFormats(text: string, start: number, end: number, found: Span[]): void {
  const first = escapeEnd(text, start, end);
  let index = first;
  while (index < end - 1) {
    const code = text.charCodeAt(index);
    const pair = pairOf(code, text.charCodeAt(index + 1));
    const span = IS_PAIR[pair] === 1 ? matchAt(text, index, first, BY_PAIR.get(pair) ?? []) : undefined;
    if (span !== undefined) {
      found.push(span);
      index = Math.max(index + 1, span.end);
      continue;
    }
    index += 1;
    // Formats begin where a word begins: `task-` does not begin with `sk-`.
    if (isAlphanumeric(code)) while (index < end && isAlphanumeric(text.charCodeAt(index))) index += 1;
  }
}

/** Documentation writes tokens as `ghp_xxxxxxxx…`; chance does not repeat a character that often (base64 does repeat `A`). */
const MASKED = /([B-Za-z0-9])\1{9}/;

function matchAt(
  text: string,
  index: number,
  first: number,
  formats: readonly CompiledFormat[],
): Span | undefined {
  for (const { rule, start, pattern, lengthBefore } of formats) {
    if (!text.startsWith(start, index)) continue;
    const from = index - lengthBefore;
    if (from < first || (from > first && isAlphanumeric(text.charCodeAt(from - 1)))) continue;
    pattern.lastIndex = from;
    if (pattern.test(text) && !MASKED.test(text.slice(from, pattern.lastIndex))) {
      return { start: from, end: pattern.lastIndex, rule };
    }
  }
  return undefined;
}

/** The rest of an escape or colour code, whose letters and digits are no part of the word that follows. */
const ESCAPES: readonly (readonly [before: RegExp, rest: RegExp])[] = [
  [/\\$/, /^(?:[nrtbf]|u[0-9a-f]{4}|x[0-9a-f]{2})/i],
  [/%$/, /^[0-9a-f]{2}/i],
  [/\[(?:[0-9]{1,3};){0,4}$/, /^[0-9]{0,3}m/],
];

/** Where the first word really begins: after an escape that stands at the beginning of the run. */
function escapeEnd(text: string, start: number, end: number): number {
  const code = start > 0 ? text.charCodeAt(start - 1) : 0;
  if (code !== BACKSLASH && code !== PERCENT && code !== BRACKET && code !== SEMICOLON) return start;
  const before = text.slice(Math.max(0, start - 20), start);
  for (const [opening, rest] of ESCAPES) {
    const match = opening.test(before) ? rest.exec(text.slice(start, Math.min(end, start + 8))) : null;
    if (match !== null) return start + match[0].length;
  }
  return start;
}

const BACKSLASH = 92;
const PERCENT = 37;
const BRACKET = 91;
const SEMICOLON = 59;

function isAlphanumeric(code: number): boolean {
  return IS_ALPHANUMERIC[code] === 1;
}

function pairOf(first: number, second: number): number {
  return first * 128 + second;
}

function compile(formats: readonly Format[]): Map<number, CompiledFormat[]> {
  const byPair = new Map<number, CompiledFormat[]>();
  const all = formats.flatMap((format) => format.starts.map((start) => compileOne(format, start)));
  for (const format of all.toSorted((a, b) => b.start.length - a.start.length)) {
    // A beginning of one character goes with any second one.
    const seconds =
      format.start.length > 1 ? [format.start.charCodeAt(1)] : Array.from({ length: 128 }, (_, code) => code);
    for (const second of seconds) {
      const pair = pairOf(format.start.charCodeAt(0), second);
      byPair.set(pair, [...(byPair.get(pair) ?? []), format]);
    }
  }
  return byPair;
}

function compileOne({ rule, rest, before }: Format, start: string): CompiledFormat {
  const pattern = new RegExp(`${before?.pattern ?? ""}${escape(start)}${rest}`, "y");
  return { rule, start, pattern, lengthBefore: before?.length ?? 0 };
}

function escape(text: string): string {
  return text.replaceAll(/[.*+?^$()[\]{}|\\/]/g, "\\$&");
}
