import { pairOf, RARE_PAIRS } from "./common-pairs.ts";
import { COMMON_WORDS } from "./common-words.ts";
import { FEATURE, type Counts } from "./features.ts";

/** Where a run of ASCII letters and digits starts. */
export interface RunStart {
  readonly from: number;
  /** Where its line ends. */
  readonly limit: number;
  /** Whether a blank comes before it: most tokenizers swallow that with a word, but not with a number. */
  readonly isSpaced: boolean;
  /** Whether it starts its line. */
  readonly isFirst: boolean;
}

const BACKSLASH = 92;
const LOWER = 1;
const UPPER = 2;
const DIGIT = 3;
const KINDS = new Uint8Array(128);
for (let code = 48; code < 58; code += 1) KINDS[code] = DIGIT;
for (let code = 65; code < 91; code += 1) KINDS[code] = UPPER;
for (let code = 97; code < 123; code += 1) KINDS[code] = LOWER;

/** Shorter runs are words such as `v2` or `h264`, however mixed. */
const SHORTEST_NOISE = 6;

export function isAlphanumeric(code: number): boolean {
  return kindOf(code) !== 0;
}

/** Counts the features of one run, and returns where it ends. */
export function countRun(text: string, start: RunStart, counts: Counts): number {
  const { from, limit, isSpaced, isFirst } = start;
  let before = kindOf(text.charCodeAt(from));
  let turns = 0;
  let digitTurns = 0;
  let digits = 0;
  let isHex = true;
  let to = from;
  for (; to < limit; to += 1) {
    const code = text.charCodeAt(to);
    const kind = kindOf(code);
    if (kind === 0) break;
    if (kind === DIGIT) digits += 1;
    if (kind !== before) {
      turns += 1;
      if (kind === DIGIT || before === DIGIT) digitTurns += 1;
      before = kind;
    }
    // Hex digits here are lower case, up to f.
    if (kind === UPPER || code > 102) isHex = false;
  }
  const length = to - from;
  if (digitTurns > 0 && length < SHORTEST_NOISE) {
    // Our own escapes of invisible characters, such as \x07.
    if (from > 0 && text.charCodeAt(from - 1) === BACKSLASH) counts[FEATURE.oddMark]! += 1;
    else counts[FEATURE.mixedWord]! += digitTurns;
  }
  if (length >= SHORTEST_NOISE && isHex && digitTurns > 0) {
    counts[FEATURE.hexChar]! += length;
    counts[FEATURE.noiseRun]! += 1;
  } else if (length >= SHORTEST_NOISE && isNoise(turns, digitTurns, length)) {
    counts[FEATURE.mixedChar]! += length;
    counts[FEATURE.noiseRun]! += 1;
    // Random keys change kind at six characters of ten.
    counts[FEATURE.noiseTurn]! += Math.max(0, turns - Math.floor(length * 0.7));
  } else if (digits === 0) {
    if (length === 1) counts[FEATURE.loneLetter]! += isSmallWord(text.charCodeAt(from)) ? 0 : 1;
    countWord(text, from, to, isSpaced || isFirst, counts);
  } else countParts(text, start, to, counts);
  return to;
}

/** `a`, `A` and `I`: the letters that are words. */
function isSmallWord(code: number): boolean {
  return code === 97 || code === 65 || code === 73;
}

/** Base64, keys and random ids: no tokenizer knows their pieces, so they cost by the character. */
function isNoise(turns: number, digitTurns: number, length: number): boolean {
  return (digitTurns >= 2 || turns >= 4) && turns * 3 >= length;
}

/** Words and numbers without anything between them, such as `utf8`. */
function countParts(text: string, { from, isSpaced, isFirst }: RunStart, to: number, counts: Counts): void {
  let at = from;
  while (at < to) {
    const start = at;
    const isNumber = kindOf(text.charCodeAt(at)) === DIGIT;
    while (at < to && (kindOf(text.charCodeAt(at)) === DIGIT) === isNumber) at += 1;
    if (!isNumber) countWord(text, start, at, start === from && (isSpaced || isFirst), counts);
    else {
      counts[FEATURE.digitRun]! += 1;
      counts[FEATURE.digit]! += at - start;
      counts[FEATURE.digitsOver6]! += Math.max(0, at - start - 6);
      if (start === from && isSpaced) counts[FEATURE.spacedDigit]! += 1;
    }
  }
}

/** `parseHttpURL` is three humps: tokenizers rarely have a piece for a whole name. */
function countWord(text: string, from: number, to: number, isSeparate: boolean, counts: Counts): void {
  counts[isSeparate ? FEATURE.word : FEATURE.gluedWord]! += 1;
  let start = from;
  let humps = 1;
  let tiny = 0;
  for (let at = from + 1; at <= to; at += 1) {
    if (at < to && !startsHump(text, at, to)) continue;
    if (at < to) {
      counts[FEATURE.innerHump]! += 1;
      humps += 1;
    }
    if (at - start <= 2) tiny += 1;
    countHump(text, start, at, counts);
    start = at;
  }
  if (humps >= 3 && tiny >= 2) counts[FEATURE.tinyHump]! += tiny;
}

function startsHump(text: string, at: number, to: number): boolean {
  if (kindOf(text.charCodeAt(at)) !== UPPER) return false;
  if (kindOf(text.charCodeAt(at - 1)) !== UPPER) return true;
  return at + 1 < to && kindOf(text.charCodeAt(at + 1)) === LOWER;
}

function countHump(text: string, from: number, to: number, counts: Counts): void {
  const length = to - from;
  const isCapital = kindOf(text.charCodeAt(from)) === UPPER;
  const isCaps = isCapital && length > 1 && kindOf(text.charCodeAt(from + 1)) === UPPER;
  if (isCaps) counts[FEATURE.capsLetter]! += length;
  else if (isCapital) counts[FEATURE.capitalized]! += 1;
  if (length > 4 && !isCaps) {
    const hump = text.slice(from, to);
    if (COMMON_WORDS.has(isCapital ? hump.toLowerCase() : hump)) return;
    counts[FEATURE.lettersOver4]! += length - 4;
    counts[FEATURE.lettersOver8]! += Math.max(0, length - 8);
    counts[FEATURE.lettersOver20]! += Math.max(0, length - 20);
  }
  const rarePairs = rarePairsIn(text, from, to);
  counts[FEATURE.rarePair]! += rarePairs;
  // Not words: a third of their pairs are rare.
  if (rarePairs * 3 >= length - 1 && (length > 4 || rarePairs > 1))
    counts[isCaps ? FEATURE.garbledCaps : FEATURE.garbledLetter]! += length;
}

function rarePairsIn(text: string, from: number, to: number): number {
  let found = 0;
  for (let at = from + 1; at < to; at += 1) {
    found += RARE_PAIRS[pairOf(text.charCodeAt(at - 1), text.charCodeAt(at))]!;
  }
  return found;
}

/** Lower case, upper case, digit; 0 for anything else. */
function kindOf(code: number): number {
  return code < 128 ? KINDS[code]! : 0;
}
