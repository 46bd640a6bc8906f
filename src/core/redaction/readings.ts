import { isUtf8 } from "node:buffer";
import { lastFrom } from "./span.ts";

/** A text as it would be read once something is decoded, and where its characters stand in the original. */
export interface Reading {
  readonly text: string;
  /** The stretch of the original that `start` to `end` of the reading comes from. */
  readonly original: (start: number, end: number) => { start: number; end: number };
}

/**
 * A colour or other control sequence of a terminal; in JSON and in source code its first character is written out, with more
 * backslashes the deeper it is nested. One that was left would take the first letter of the next word for its own.
 */
const ESCAPE = "\u001B";
const TERMINAL = `(?:${ESCAPE}|\\\\{1,8}(?:u001[bB]|x1[bB]|033|e))\\[[0-9;?]{0,24}[A-Za-z]`;
/** How a shell writes a quotation mark inside a quoted word: it ends the word, adds the mark, and begins another. */
const SHELL_MARK = `'(?:\\\\{1,8}'|"'")'`;
/** JSON may write any character by its number, and many encoders do so with these: `& < > = ' +` and others that HTML or a script would misread. */
const NUMBERED = String.raw`\\{1,8}(?:u00|x)(?:2[1-9a-fA-F]|3[a-fA-F]|40|5[bBdD]|60|7[b-eB-E])`;
/** Characters that HTML and XML have other names for. */
const ENTITY = "&(?:quot|amp|lt|gt|apos|#x?0{0,4}[0-9a-fA-F]{2});";
const MARKS = new RegExp(`${TERMINAL}|${SHELL_MARK}|${NUMBERED}|${ENTITY}`, "g");

/**
 * The text as a terminal shows it, a shell reads it and a page has it: without colours, which stand between a name and its
 * value or right before a command, with `'` for each `'\''`, `&` for `\u0026` and `&amp;`. In one pass: marks built of
 * marks could be nested without end.
 */
export function withoutMarks(text: string): Reading | undefined {
  if (!MARKED.test(text)) return undefined;
  return rewrite(text, MARKS, unmarked);
}

const MARKED = new RegExp(
  String.raw`${ESCAPE}\[|\\(?:u00[1-7]|x[1-7]|033\[|e\[)|'\\{1,8}''|'"'"'|&(?:quot|amp|lt|gt|apos|#)`,
  "i",
);
const ENTITIES: Readonly<Record<string, string>> = { quot: '"', amp: "&", lt: "<", gt: ">", apos: "'" };

function unmarked(mark: string): string {
  if (mark.startsWith("'")) return "'";
  if (mark.startsWith("&#x")) return String.fromCharCode(Number.parseInt(mark.slice(3), 16));
  if (mark.startsWith("&#")) return String.fromCharCode(Number.parseInt(mark.slice(2), 10));
  if (mark.startsWith("&")) return ENTITIES[mark.slice(1, -1)] ?? mark;
  return /[A-Za-z]$/.test(mark) && mark.includes("[")
    ? ""
    : String.fromCharCode(Number.parseInt(mark.slice(-2), 16));
}

/** Only what decodes to a printable character or to a blank: other bytes are parts of longer characters. */
const PERCENT = /%(?:[2-6][0-9A-Fa-f]|7[0-9A-Ea-e]|0[9AaDd])/g;

/** The text with its percent signs decoded, as in addresses and forms. */
export function percentDecoded(text: string): Reading | undefined {
  return text.includes("%")
    ? rewrite(text, PERCENT, (match) => String.fromCharCode(Number.parseInt(match.slice(1), 16)))
    : undefined;
}

/** A stretch of the reading: as it was, or what replaces `length` characters. */
interface Piece {
  readonly start: number;
  readonly from: number;
  readonly length: number;
  readonly isDecoded: boolean;
}

function rewrite(text: string, pattern: RegExp, decode: (match: string) => string): Reading | undefined {
  const pieces: Piece[] = [];
  let result = "";
  let from = 0;
  for (const { index, 0: match } of text.matchAll(pattern)) {
    pieces.push({ start: result.length, from, length: index - from, isDecoded: false });
    result += text.slice(from, index);
    const decoded = decode(match);
    if (decoded !== "")
      pieces.push({ start: result.length, from: index, length: match.length, isDecoded: true });
    result += decoded;
    from = index + match.length;
  }
  if (from === 0) return undefined;
  pieces.push({ start: result.length, from, length: text.length - from, isDecoded: false });
  result += text.slice(from);
  return {
    text: result,
    original(start, end) {
      const [first, last] = [lastFrom(pieces, start)!, lastFrom(pieces, end - 1)!];
      return {
        start: first.isDecoded ? first.from : first.from + start - first.start,
        end: last.isDecoded ? last.from + last.length : last.from + end - last.start,
      };
    },
  };
}

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
