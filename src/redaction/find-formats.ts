import { ALPHANUMERIC, isOneOf, skipForward } from "./characters.ts";
import type { Format } from "./format.ts";
import { PLATFORM_FORMATS } from "./platform-formats.ts";
import { SERVICE_FORMATS } from "./service-formats.ts";
import type { Span } from "./span.ts";

interface FormatStart {
  readonly rule: string;
  readonly start: string;
  /** Compiled when its beginning is first met: most never are, and all together take milliseconds. */
  readonly pattern: () => RegExp;
  readonly lengthBefore: number;
}

/** The formats by the first character of their fixed beginning, those with the longest beginning first. */
const BY_FIRST: ReadonlyMap<number, readonly FormatStart[]> = Map.groupBy(
  [...PLATFORM_FORMATS, ...SERVICE_FORMATS]
    .flatMap((format) => format.starts.map((start) => formatStart(format, start)))
    .toSorted((a, b) => b.start.length - a.start.length),
  ({ start }) => start.charCodeAt(0),
);

/** Adds the secrets in `text.slice(start, end)`, a run of token characters, that a fixed beginning announces. */
export function findFormats(text: string, start: number, end: number, found: Span[]): void {
  const first = escapeEnd(text, start, end);
  let index = first;
  while (index < end - 1) {
    const span = matchAt(text, index, first, BY_FIRST.get(text.charCodeAt(index)) ?? []);
    if (span !== undefined) {
      found.push(span);
      index = Math.max(index + 1, span.end);
    } else {
      // Formats begin where a word begins: `task-` does not begin with `sk-`.
      index = Math.max(index + 1, skipForward(text, index, ALPHANUMERIC, end - index));
    }
  }
}

/** Documentation writes tokens as `ghp_xxxxxxxx…`; random text does not repeat a character that often, except `A` in base64. */
const MASKED = /([B-Za-z0-9])\1{9}/;

function matchAt(
  text: string,
  index: number,
  first: number,
  formats: readonly FormatStart[],
): Span | undefined {
  for (const { rule, start, pattern, lengthBefore } of formats) {
    if (!text.startsWith(start, index)) continue;
    const from = index - lengthBefore;
    if (from < first || (from > first && isOneOf(text, from - 1, ALPHANUMERIC))) continue;
    const sticky = pattern();
    sticky.lastIndex = from;
    if (sticky.test(text) && !MASKED.test(text.slice(from, sticky.lastIndex))) {
      return { start: from, end: sticky.lastIndex, rule };
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
  if (start === 0 || !"\\%[;".includes(text.charAt(start - 1))) return start;
  const before = text.slice(Math.max(0, start - 20), start);
  for (const [opening, rest] of ESCAPES) {
    const match = opening.test(before) ? rest.exec(text.slice(start, Math.min(end, start + 8))) : null;
    if (match !== null) return start + match[0].length;
  }
  return start;
}

function formatStart({ rule, rest, before }: Format, start: string): FormatStart {
  let pattern: RegExp | undefined;
  return {
    rule,
    start,
    pattern: () => (pattern ??= new RegExp(`${before?.pattern ?? ""}${escape(start)}${rest}`, "y")),
    lengthBefore: before?.length ?? 0,
  };
}

function escape(text: string): string {
  return text.replaceAll(/[.*+?^$()[\]{}|\\/]/g, "\\$&");
}
