import type { Span } from "./span.ts";
import { isPasswordLike } from "./values.ts";

/**
 * Secrets that were found before. Whoever keeps them keeps no secret: only what tells one when it comes again.
 */
export interface SecretMemory {
  /** Most know nothing, and need not be asked at every word. */
  isEmpty(): boolean;
  /** The length of the one that begins at `start` and ends by `end`; 0 if there is none. */
  lengthAt(text: string, start: number, end: number): number;
  add(token: string): void;
}

/** A shorter one, or one that reads like a word, stands in too many texts by chance. */
const MIN_LENGTH = 8;
/** No secret that is remembered is longer. */
export const MAX_LENGTH = 256;

/** Keeps a secret that was found, if it can be told from other text. */
export function remember(memory: SecretMemory | undefined, secret: string): void {
  if (secret.length >= MIN_LENGTH && secret.length <= MAX_LENGTH && isPasswordLike(secret))
    memory?.add(secret);
}

/** Adds the secrets that are known from before, wherever no letter or digit stands beside them. */
export function findRemembered(text: string, memory: SecretMemory, found: Span[]): void {
  if (memory.isEmpty()) return;
  let wordEnd = -1;
  for (let start = 0; start < text.length; start += 1) {
    if (start > wordEnd) wordEnd = blankFrom(text, start);
    if (wordEnd - start < MIN_LENGTH) start = wordEnd;
    const length = isEdge(text, start) ? memory.lengthAt(text, start, wordEnd) : 0;
    if (length === 0 || !isEdge(text, start + length)) continue;
    found.push({ start, end: start + length, rule: "secret" });
    start += length - 1;
  }
}

/** Where the next blank stands, or the text ends. */
function blankFrom(text: string, from: number): number {
  let at = from;
  while (text.charCodeAt(at) > SPACE) at += 1;
  return at;
}

const SPACE = 32;

/** Whether a word can begin or end here. What is written `\n` in a string is no letter. */
function isEdge(text: string, at: number): boolean {
  if (!isLetterOrDigit(text.charCodeAt(at - 1)) || !isLetterOrDigit(text.charCodeAt(at))) return true;
  return text[at - 2] === "\\" && /[nrt]/.test(text.charAt(at - 1));
}

const isLetterOrDigit = (code: number) =>
  (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || code > 127;
