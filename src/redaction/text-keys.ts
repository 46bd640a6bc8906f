import { BACKSLASH, BLANK, IDENTIFIER, isOneOf, LETTER, QUOTE, skipBack } from "./characters.ts";

/** A name in a text that a delimiter follows. */
export interface TextKey {
  readonly name: string;
  readonly start: number;
  readonly isQuoted: boolean;
}

const MAX_KEY_LENGTH = 64;

/**
 * The name that ends right before `index`: `password` in `"password" =`, `config['password']=`, `api key:`.
 *
 * Quotation marks may be escaped, since much of an agent's text is JSON inside JSON.
 */
export function keyBefore(text: string, index: number): TextKey | undefined {
  let end = skipBack(text, index, BLANK, 3);
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
  if (!isQuoted && name.length <= 4 && /^keys?$/i.test(name)) return twoWordKey(text, start, unquoted);
  return { name, start, isQuoted };
}

/** `API key: …`, `access key: …`: the noun alone says nothing. */
function twoWordKey(text: string, keyStart: number, end: number): TextKey {
  const gap = skipBack(text, keyStart, BLANK, 1);
  const start = skipBack(text, gap, LETTER, 12);
  return { name: text.slice(start, end), start, isQuoted: false };
}
