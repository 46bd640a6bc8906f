import { isUtf8 } from "node:buffer";

/** Only what could hold the shortest known format is worth decoding. */
const MIN_LENGTH = 24;
/** Lines of this length, one after the other, are what `base64`, MIME and PEM make of one long text. */
const LINE_LENGTHS: ReadonlySet<number> = new Set([60, 64, 76]);
/** Printable, or a blank: what no control character is. Bytes beyond ASCII pass, since the text may be UTF-8. */
const READABLE = /^[\t\n\r -~\u0080-\u00ff]*$/;

/**
 * Three bytes become four characters, the first of which has the upper six bits of the first byte. For printable
 * ASCII, tabs and line breaks that leaves these letters, which saves decoding what cannot be text.
 */
const BEGINS_LIKE_TEXT = /^(?:[CDI-Za-f][A-Za-z0-9+/_-]{3}){3}/;

/** The text that a token encodes, or undefined if it encodes none: random bytes hardly ever read as text. */
export function decodeText(token: string): string | undefined {
  if (token.length < MIN_LENGTH || !BEGINS_LIKE_TEXT.test(token) || /^[0-9a-f]+$/i.test(token))
    return undefined;
  // Buffer takes both alphabets and skips line breaks.
  const bytes = Buffer.from(token, "base64");
  const text = bytes.toString("latin1");
  return READABLE.test(text) && isUtf8(bytes) ? text : undefined;
}

/**
 * Where the base64 ends that begins at `start`: with its token, or, if that fills a line of a length that
 * encoders make, with the last of such lines.
 */
export function base64End(text: string, start: number, end: number): number {
  const length = end - start;
  if (!LINE_LENGTHS.has(length) || !/^(?:|\n)$/.test(text.charAt(start - 1))) return end;
  const line = /\r?\n([A-Za-z0-9+/_-]{1,76}={0,2})(?=\r?\n|$)/y;
  let last = end;
  for (;;) {
    line.lastIndex = last;
    const next = line.exec(text)?.[1] ?? "";
    // A shorter line is the last one, if it is base64 at all and not just a word.
    if (next.length !== length && (next === "" || next.length % 4 !== 0)) return last;
    last = line.lastIndex;
    if (next.length !== length) return last;
  }
}

/** Where the `=` end that may follow base64 at `end`. */
export function paddingEnd(text: string, end: number): number {
  let last = end;
  while (last < end + 2 && text[last] === "=") last += 1;
  return last;
}
