/** A stretch of a text that is to be replaced, and the name of the rule that found it. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly rule: string;
}

/** What stands where a secret stood. It names the rule, never anything of the secret, not even its length. */
export function placeholder(rule: string): string {
  return `[redacted:${rule}]`;
}

const PLACEHOLDER = /\[redacted:[\w.-]{1,64}\]/g;
const MAX_PLACEHOLDER_LENGTH = "[redacted:]".length + 64;

/** Whether the text is nothing but one placeholder of ours. */
export function isPlaceholder(text: string): boolean {
  return text.startsWith("[redacted:") && text.replace(PLACEHOLDER, "") === "";
}

/** Rules that go by what stands around a secret. A rule that knows the secret's own format names it better. */
const CONTEXTUAL: ReadonlySet<string> = new Set([
  "password",
  "secret",
  "token",
  "pin",
  "authorization",
  "cookie",
  "command-password",
  "url-password",
  "random-token",
]);

/** The name that tells most about a secret that several rules have found. */
export function bestRule(spans: readonly Span[]): string | undefined {
  return (spans.find(({ rule }) => !CONTEXTUAL.has(rule)) ?? spans[0])?.rule;
}

/**
 * Joins spans that overlap, in the order of the text.
 *
 * A placeholder that is there already is either left alone or swallowed whole, never cut: each replacement
 * therefore leaves fewer characters that are not placeholders, so that replacing again comes to an end.
 */
export function mergeSpans(text: string, spans: readonly Span[]): Span[] {
  const kept = text.includes("[redacted:") ? respectPlaceholders(text, spans) : spans;
  const merged: Span[] = [];
  for (const span of kept.toSorted((a, b) => a.start - b.start)) {
    const last = merged.at(-1);
    if (last === undefined || span.start >= last.end) {
      merged.push(span);
    } else {
      const rule = bestRule([last, span]) ?? last.rule;
      merged[merged.length - 1] = { start: last.start, end: Math.max(last.end, span.end), rule };
    }
  }
  return merged;
}

/** Grows each span to the borders of the placeholders that it would cut, and drops those with nothing else in them. */
function respectPlaceholders(text: string, spans: readonly Span[]): Span[] {
  return spans
    .map((span) => ({
      ...span,
      start: placeholderAt(text, span.start)?.start ?? span.start,
      end: placeholderAt(text, span.end - 1)?.end ?? span.end,
    }))
    .filter(({ start, end }) => !isPlaceholder(text.slice(start, end)));
}

/** The placeholder that covers a position. Looked for only as far away as the longest reaches. */
function placeholderAt(text: string, position: number): { start: number; end: number } | undefined {
  const from = Math.max(0, position - MAX_PLACEHOLDER_LENGTH);
  for (const { index, 0: match } of text
    .slice(from, position + MAX_PLACEHOLDER_LENGTH)
    .matchAll(PLACEHOLDER)) {
    const start = from + index;
    if (start <= position && position < start + match.length) return { start, end: start + match.length };
  }
  return undefined;
}

/** The text with each span replaced by its placeholder. The spans must be merged. */
export function replaceSpans(text: string, spans: readonly Span[]): string {
  let result = "";
  let from = 0;
  for (const { start, end, rule } of spans) {
    result += text.slice(from, start) + placeholder(rule);
    from = end;
  }
  return result + text.slice(from);
}

/** The last of the stretches, which are in order, that begins at `index` or before. */
export function lastFrom<T extends { readonly start: number }>(
  ordered: readonly T[],
  index: number,
): T | undefined {
  let low = 0;
  let high = ordered.length;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (ordered[middle]!.start <= index) low = middle + 1;
    else high = middle;
  }
  return ordered[low - 1];
}
