import type { TextPatterns } from "./custom-patterns.ts";
import { findSecrets, type SearchOptions } from "./find-secrets.ts";
import { mergeSpans, replaceSpans, type Span } from "./span.ts";

/** How often each rule struck. */
export type RuleCounts = Map<string, number>;

/** Too short for a name and a secret: most strings of a state are. */
const MIN_LENGTH = 8;
/** What is left after this many rounds was built to take long. */
const MAX_ROUNDS = 4;

/**
 * The text without its secrets, and the same string if it has none. Redacts until nothing is found, since a
 * replacement can uncover what stood next to it: redacting the result again changes nothing.
 */
export function redactText(
  text: string,
  patterns: TextPatterns,
  options: SearchOptions,
  counts: RuleCounts,
): string {
  let result = text;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const spans = spansOf(result, patterns, options);
    if (spans.length === 0) return result;
    for (const { rule } of spans) counts.set(rule, (counts.get(rule) ?? 0) + 1);
    result = replaceSpans(result, spans);
  }
  return result;
}

function spansOf(text: string, patterns: TextPatterns, options: SearchOptions): Span[] {
  const own = patterns.find(text);
  const builtIn = text.length < MIN_LENGTH ? [] : findSecrets(text, options);
  const found = own.length === 0 ? builtIn : [...own, ...builtIn];
  if (found.length === 0) return found;
  return mergeSpans(
    text,
    found.filter(({ start, end }) => end > start && !patterns.isAllowed(text.slice(start, end))),
  );
}
