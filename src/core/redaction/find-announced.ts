import { cachedKeyKind, mayNameSecret } from "./key-names.ts";
import { addSecret } from "./find-phrases.ts";
import { findPositional } from "./find-positional.ts";
import type { Span } from "./span.ts";
import { isHarmless } from "./values.ts";

/** Adds what fixed words announce, wherever they stand. Returns the blocks of ASCII armour that are not secret. */
export function findAnnounced(text: string, found: Span[]): Armour[] {
  const others = findPrivateKeys(text, found);
  findGoAddresses(text, found);
  findInserted(text, found);
  findPositional(text, found);
  return others;
}

const COLUMNS = /\(([^()]{1,400})\)\s{1,8}$/;

/** Adds the passwords in `INSERT INTO users (name, password) VALUES ('ada', '…')`: the column's name is at the value's place. */
function findInserted(text: string, found: Span[]): void {
  for (const { index, 0: word } of text.matchAll(/\bvalues\s{0,8}\(/gi)) {
    const columns = COLUMNS.exec(text.slice(Math.max(0, index - 420), index))?.[1]?.split(",") ?? [];
    const kinds = columns.map((name) => (mayNameSecret(name) ? cachedKeyKind(name) : "plain"));
    const value = /\s{0,8}(?:'((?:[^'\\]|\\.|''){0,512})'|[^,()']{1,512})\s{0,8}[,)]/y;
    value.lastIndex = index + word.length;
    for (const kind of kinds) {
      const from = value.lastIndex;
      const [whole, quoted] = value.exec(text) ?? [];
      if (whole === undefined) break;
      const start = from + whole.indexOf("'") + 1;
      if (quoted !== undefined)
        addSecret(text, { start, end: start + quoted.length, isQuoted: true }, kind, "quoted", found);
    }
  }
}

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
function findPrivateKeys(text: string, found: Span[]): Armour[] {
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

/** Adds the passwords in `user:password@tcp(host:3306)/db`, which Go programs pass to MySQL. */
function findGoAddresses(text: string, found: Span[]): void {
  for (let end = text.indexOf("@tcp("); end >= 0; end = text.indexOf("@tcp(", end + 1)) {
    const before = text.slice(Math.max(0, end - 256), end);
    const password = before.slice(before.lastIndexOf(":") + 1);
    const isAddress = /[\w.-]:[^\s:"'`<>\\]{1,255}$/.test(before.slice(-password.length - 2));
    if (isAddress && !isHarmless(password))
      found.push({ start: end - password.length, end, rule: "url-password" });
  }
}
