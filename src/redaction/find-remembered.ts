import type { TextPatterns } from "./custom-patterns.ts";
import type { Span } from "./span.ts";
import { isPasswordLike } from "./values.ts";

/**
 * Secrets that were found before. Whoever keeps them keeps no secret: only what tells one when it comes again.
 */
export interface SecretMemory {
  /** Whether a token of this length is known at all: a quick no for most. */
  hasLength(length: number): boolean;
  has(token: string): boolean;
  add(token: string): void;
}

/** A shorter one, or one that reads like a word, stands in too many texts by chance. */
const MIN_LENGTH = 8;
const MAX_LENGTH = 256;

/** The rules with a memory: what one of them finds is found again without its name. */
export function remembering(patterns: TextPatterns, memory: SecretMemory): TextPatterns {
  return {
    ...patterns,
    find: (text) => [...patterns.find(text), ...findRemembered(text, memory)],
    remember(secret) {
      if (secret.length >= MIN_LENGTH && secret.length <= MAX_LENGTH && isPasswordLike(secret))
        memory.add(secret);
    },
  };
}

const WORD = /[^\s"'`]{8,512}/g;
/** What encloses a word in a sentence, and what stands before a value. */
const AROUND = /^[([{<]*(.*?)[)\]}>.,:;!?]*$/s;
const VALUE = /[:=@]([^:=@]{8,256})$/;

function findRemembered(text: string, memory: SecretMemory): Span[] {
  const found: Span[] = [];
  for (const { index, 0: word } of text.matchAll(WORD)) {
    const inner = AROUND.exec(word)?.[1] ?? word;
    for (const token of [word, inner, VALUE.exec(inner)?.[1] ?? ""]) {
      if (!memory.hasLength(token.length) || !memory.has(token)) continue;
      const start = index + word.indexOf(token);
      found.push({ start, end: start + token.length, rule: "secret" });
      break;
    }
  }
  return found;
}
