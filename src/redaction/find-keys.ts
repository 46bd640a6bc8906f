import type { Span } from "./span.ts";

/** A block of ASCII armour: `-----BEGIN X-----` to `-----END X-----`. */
export interface Armour {
  readonly start: number;
  readonly end: number;
}

const BEGIN = "-----BEGIN ";
/** What follows if the end is missing: lines of base64 and headers, whose line breaks may be written `\n`. */
const BODY = /[A-Za-z0-9+/=\s\\:,.-]{0,16384}/y;
const END_LINE = /-----END [A-Z0-9 ]{1,64}-----/y;

/**
 * Adds each private key as one span, also one that was cut off, and returns the other blocks: certificates, public
 * keys and signatures look random line by line, but are not secrets.
 */
export function findPrivateKeys(text: string, found: Span[]): Armour[] {
  const others: Armour[] = [];
  let start = text.indexOf(BEGIN);
  while (start >= 0) {
    const end = armourEnd(text, start + BEGIN.length);
    if (/^[A-Z0-9 ]{0,40}PRIVATE KEY/.test(text.slice(start + BEGIN.length, start + BEGIN.length + 64))) {
      found.push({ start, end, rule: "private-key" });
    } else {
      others.push({ start, end });
    }
    start = text.indexOf(BEGIN, end);
  }
  findPuttyKeys(text, found);
  return others;
}

/** The body is read, not the end looked for: many beginnings without an end must not cost a search of the text each. */
function armourEnd(text: string, from: number): number {
  BODY.lastIndex = from;
  BODY.test(text);
  const body = text.slice(from, BODY.lastIndex);
  // The dashes of the last line are characters of the body, too.
  const dashes = body.indexOf("-----END");
  if (dashes < 0) return Math.max(from, from + body.trimEnd().length);
  END_LINE.lastIndex = from + dashes;
  return END_LINE.test(text) ? END_LINE.lastIndex : from + body.length;
}

const PUTTY = "Private-Lines:";

/** PuTTY's own notation: a number of lines, then as many lines of base64. */
function findPuttyKeys(text: string, found: Span[]): void {
  let at = text.indexOf(PUTTY);
  while (at >= 0) {
    const start = at + PUTTY.length;
    BODY.lastIndex = start;
    BODY.test(text);
    const stop = text.slice(start, BODY.lastIndex).indexOf("Private-MAC");
    const end = stop < 0 ? BODY.lastIndex : start + stop;
    found.push({ start, end, rule: "private-key" });
    at = text.indexOf(PUTTY, end);
  }
}
