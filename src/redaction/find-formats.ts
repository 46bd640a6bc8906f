import { ALPHANUMERIC, isOneOf, skipForward } from "./characters.ts";
import { type Format, FORMATS } from "./formats.ts";
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
  FORMATS.flatMap((format) => format.starts.map((start) => formatStart(format, start))).toSorted(
    (a, b) => b.start.length - a.start.length,
  ),
  ({ start }) => start.charCodeAt(0),
);

/** Adds the secrets in `text.slice(start, end)`, a run of token characters, that a fixed beginning announces. */
export function findFormats(text: string, start: number, end: number, found: Span[]): void {
  let index = start;
  while (index < end - 1) {
    const span = matchAt(text, index, start, BY_FIRST.get(text.charCodeAt(index)) ?? []);
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
