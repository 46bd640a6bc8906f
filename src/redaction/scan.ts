import { classesAt, DELIMITER, QUOTE, TOKEN } from "./characters.ts";

/** No secret that is recognised by its own looks is shorter than this. */
const MIN_RUN_LENGTH = 16;

/** The last letters of key, token, secret, password, passwd and pat. */
const LAST_OF_NOUNS = "yYnNtTdD";

export interface ScanVisitor {
  /** At least 16 characters that may be a token: letters, digits and `_ . + / ~ -`. */
  run(start: number, end: number): void;
  /** A word that starts with a dash, as the options of a command do. */
  flag(start: number): void;
  /** A word before a blank that may end in a noun for secrets, as `API_KEY` does: the next word may be its value. */
  name(start: number, end: number): void;
  /** The word `is`: what precedes may be a name, what follows its value. */
  is(start: number, end: number): void;
  /** One of `: = >`: what precedes may be a name, what follows its value. */
  delimiter(index: number): void;
  /** A quotation mark that opens or closes. */
  quote(index: number): void;
}

/**
 * Walks over the text once and reports the few places where a secret can be.
 *
 * This is what makes clean text cheap: one table look-up per character, and no regular expression runs unless one of
 * these places is reached. A loop, because a regular expression with a hundred prefixes is four times slower.
 */
export function scan(text: string, visitor: ScanVisitor): void {
  const { length } = text;
  for (let index = 0; index < length; index += 1) {
    const classes = classesAt(text, index);
    if ((classes & TOKEN) !== 0) {
      let end = index + 1;
      while (end < length && (classesAt(text, end) & TOKEN) !== 0) end += 1;
      visitToken(text, index, end, visitor);
      // The character that ended the token may be a delimiter.
      index = end - 1;
    } else if ((classes & DELIMITER) !== 0) {
      visitor.delimiter(index);
    } else if ((classes & QUOTE) !== 0) {
      visitor.quote(index);
    }
  }
}

function visitToken(text: string, start: number, end: number, visitor: ScanVisitor): void {
  const length = end - start;
  if (length === 2 && text.startsWith("is", start)) visitor.is(start, end);
  if (length >= MIN_RUN_LENGTH) visitor.run(escapeEnd(text, start, end), end);
  if (length >= 2 && text[start] === "-") visitor.flag(start);
  else if (length >= 6 && text[end] === " " && LAST_OF_NOUNS.includes(text.charAt(end - 1)))
    visitor.name(start, end);
}

/** The rest of an escape, whose letters and digits are no part of the word that follows. */
const ESCAPE = /^(?:[nrtbf]|u[0-9a-f]{4}|x[0-9a-f]{2})/i;

/** Where the first word really begins: after an escape that stands at the beginning of the run. */
function escapeEnd(text: string, start: number, end: number): number {
  if (text[start - 1] === "%") return start + (/^[0-9a-f]{2}/i.test(text.slice(start, start + 2)) ? 2 : 0);
  if (text[start - 1] !== "\\") return start;
  return start + (ESCAPE.exec(text.slice(start, Math.min(end, start + 8)))?.[0].length ?? 0);
}
