import {
  BACKSLASH,
  BLANK,
  IDENTIFIER,
  isOneOf,
  LETTER,
  QUOTE,
  skipBack,
  BARE,
  CLOSING,
  skipForward,
  WORD,
} from "./scan.ts";

/** A name in a text that a delimiter follows. */
export interface TextKey {
  readonly name: string;
  readonly start: number;
  readonly isQuoted: boolean;
}

const MAX_KEY_LENGTH = 64;
/** Columns may be aligned. */
export const MAX_BLANKS = 16;

/**
 * The name that ends right before `index`: `password` in `"password" =`, `config['password']=`, `api key:`.
 *
 * Quotation marks may be escaped, since much of an agent's text is JSON inside JSON.
 */
export function keyBefore(text: string, index: number): TextKey | undefined {
  let end = skipBack(text, index, BLANK, MAX_BLANKS);
  if (text[end - 1] === "]") end -= 1;
  const unquoted = skipBack(text, end, QUOTE | BACKSLASH, 8);
  const isQuoted = unquoted < end;
  let start = skipBack(text, unquoted, IDENTIFIER, MAX_KEY_LENGTH);
  if (start === unquoted) return undefined;
  if (isQuoted && !isOneOf(text, start - 1, QUOTE)) return undefined;
  // In JSON inside JSON a line break is the two characters `\n`, whose letter is no part of the name.
  if (isOneOf(text, start - 1, BACKSLASH) && /[nrt]/.test(text.charAt(start)) && unquoted - start > 1)
    start += 1;
  const name = text.slice(start, unquoted);
  if (!isQuoted && name.length <= 6 && /^(?:keys?|id|codes?|phrase)$/i.test(name))
    return twoWordKey(text, start, unquoted);
  return { name, start, isQuoted };
}

/** `API key: …`, `Secret ID: …`: the noun alone says nothing. */
function twoWordKey(text: string, keyStart: number, end: number): TextKey {
  const gap = skipBack(text, keyStart, BLANK, 1);
  const start = gap === keyStart ? keyStart : skipBack(text, gap, LETTER, 12);
  return { name: text.slice(start, end), start, isQuoted: false };
}

/** A value in a text, without the quotation marks around it. */
export interface TextValue {
  readonly start: number;
  readonly end: number;
  readonly isQuoted: boolean;
}

const MAX_QUOTED_LENGTH = 4096;
const MAX_BARE_LENGTH = 512;
const MAX_ELEMENT_LENGTH = 512;

/**
 * The quoted string that begins at `index`, or undefined. Backslashes before the opening mark belong to it
 * (`\"` in JSON inside JSON), and then the closing mark carries as many.
 */
export function quotedValueAt(text: string, index: number): TextValue | undefined {
  const mark = skipForward(text, index, BACKSLASH, 7);
  const quote = text.charAt(mark);
  if (quote !== '"' && quote !== "'" && quote !== "`") return undefined;
  const escapes = mark - index;
  const start = mark + 1;
  const limit = Math.min(text.length, start + MAX_QUOTED_LENGTH);
  for (let at = start; at < limit; at += 1) {
    const character = text.charAt(at);
    if (character === "\n" && quote !== "`") return undefined;
    if (character !== quote) continue;
    const own = at - skipBack(text, at, BACKSLASH, at - start);
    // An escaped mark is part of the value; an escaped backslash before the closing mark is, too.
    if (own === escapes || (escapes === 0 && own % 2 === 0))
      return { start, end: at - escapes, isQuoted: true };
  }
  // The text was cut off inside the value, or the value is a very long one.
  return limit > start && quote !== "`" ? { start, end: limit, isQuoted: true } : undefined;
}

/** The word that begins at `index`: up to a blank, a quotation mark, a bracket or the end of a statement. */
export function bareValueAt(text: string, index: number, mayHaveAmpersand = false): TextValue | undefined {
  let end = skipForward(text, index, BARE, MAX_BARE_LENGTH);
  // One between letters is part of a password; two are an operator, and in an address it begins the next parameter.
  if (mayHaveAmpersand && /^[\w!@#$%^*]&[\w!@#$%^*]/.test(text.slice(end - 1, end + 2))) {
    end = skipForward(text, end + 1, BARE, MAX_BARE_LENGTH);
  }
  return end === index ? undefined : { start: index, end, isQuoted: false };
}

/** As `bareValueAt`, but as long as a shell or a `.env` file would read: only a blank or a quotation mark ends it. */
export function shellValueAt(text: string, index: number): TextValue | undefined {
  const quoted = quotedValueAt(text, index);
  if (quoted !== undefined) return quoted;
  const end = skipForward(text, index, WORD, MAX_BARE_LENGTH);
  const trimmed = skipBack(text, end, CLOSING, end - index);
  return trimmed === index ? undefined : { start: index, end: trimmed, isQuoted: false };
}

/** The content of an element, up to the tag that closes it. */
export function elementValueAt(text: string, index: number): TextValue | undefined {
  const content = text.slice(index, index + MAX_ELEMENT_LENGTH);
  const end = content.search(/[<\n]/);
  return end > 0 && content.startsWith("</", end)
    ? { start: index, end: index + end, isQuoted: true }
    : undefined;
}

/** Where the value really ends if it is longer than what was read to judge it: no tail may be left over. */
export function wholeEnd(text: string, value: TextValue): number {
  const isCut = value.end - value.start >= MAX_BARE_LENGTH;
  return isCut ? skipForward(text, value.end, WORD, text.length) : value.end;
}
