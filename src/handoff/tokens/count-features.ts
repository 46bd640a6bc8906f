import { countRun, isAlphanumeric } from "./count-run.ts";
import { isFamiliar } from "./familiar.ts";
import { FEATURE, FEATURES, type Counts, type Feature } from "./features.ts";

const TAB = 9;
const NEWLINE = 10;
const SPACE = 32;

/** Tokenizers know runs of blanks up to some length; this is safely below the shortest. */
const BLANKS_IN_ONE = 10;

/**
 * Counts the features of a text in one pass. No feature crosses a line end, so the counts of a text are exactly the
 * sums over its lines: an item costs the same whatever is beside it, and the planned size of a handoff equals the
 * recount of its text. Reuses `counts` if given.
 */
export function countFeatures(text: string, counts: Counts = new Uint32Array(FEATURES.length)): Counts {
  counts.fill(0);
  let from = 0;
  for (;;) {
    const newline = text.indexOf("\n", from);
    const to = newline < 0 ? text.length : newline;
    if (from === to) counts[FEATURE.blankLine]! += 1;
    else countLine(text, from, to, counts);
    if (newline < 0) return counts;
    from = newline + 1;
  }
}

function countLine(text: string, from: number, to: number, counts: Counts): void {
  counts[FEATURE.line]! += 1;
  let at = from;
  while (at < to) {
    const code = text.charCodeAt(at);
    const isSpaced = at > from && isBlank(text.charCodeAt(at - 1));
    if (isAlphanumeric(code))
      at = countRun(text, { from: at, limit: to, isSpaced, isFirst: at === from }, counts);
    else if (isBlank(code)) at = countBlanks(text, at, { isFirst: at === from, to }, counts);
    else if (code < 128) at = countMarks(text, at, { isSpaced, to }, counts);
    else at = countLetter(text, at, { from, to }, counts);
  }
}

function countBlanks(
  text: string,
  from: number,
  { isFirst, to }: { isFirst: boolean; to: number },
  counts: Counts,
): number {
  let at = from;
  for (; at < to && isBlank(text.charCodeAt(at)); at += 1) {
    if (text.charCodeAt(at) === TAB) counts[FEATURE.tab]! += 1;
  }
  const pieces = Math.ceil((at - from) / BLANKS_IN_ONE);
  if (isFirst) counts[FEATURE.indent]! += 1;
  // A single blank belongs to the word after it.
  if (at - from > 1) counts[FEATURE.spaceRun]! += isFirst ? pieces - 1 : pieces;
  return at;
}

/** Runs of ASCII punctuation: a rule of dashes is nearly free, a cluster such as `"}],` is not. */
function countMarks(
  text: string,
  from: number,
  { isSpaced, to }: { isSpaced: boolean; to: number },
  counts: Counts,
): number {
  let at = from + 1;
  let changes = 0;
  for (; at < to && isMark(text.charCodeAt(at)); at += 1) {
    const isRepeat = text.charCodeAt(at) === text.charCodeAt(at - 1);
    if (!isRepeat) changes += 1;
    counts[isRepeat ? FEATURE.markRepeat : FEATURE.markChange]! += 1;
  }
  if (isSpaced) counts[FEATURE.spacedMark]! += 1;
  if (at - from > 4) counts[FEATURE.marksOver4]! += changes > 3 ? changes - 3 : 0;
  if (
    isSpaced &&
    at - from === 1 &&
    (at === to || isBlank(text.charCodeAt(at))) &&
    !isSign(text.charCodeAt(from))
  )
    counts[FEATURE.oddMark]! += 1;
  if (at - from > 1) counts[FEATURE.markRun]! += 1;
  else if (!isSpaced) counts[FEATURE.mark]! += 1;
  return at;
}

/**
 * Beyond ASCII, a character costs what its script costs on average if it is common after the one before. Otherwise no
 * tokenizer has a piece for the pair, and it may cost as much as its bytes.
 */
function countLetter(
  text: string,
  at: number,
  { from, to }: { from: number; to: number },
  counts: Counts,
): number {
  const code = text.codePointAt(at)!;
  let script = 0;
  while (code >= SCRIPT_ENDS[script]!) script += 1;
  counts[SCRIPT_FEATURES[script]!]! += 1;
  const after = code > 0xffff ? at + 2 : at + 1;
  const before = at === from ? SPACE : text.charCodeAt(at - 1);
  if (!isFamiliar(before, code)) {
    const bytes = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    counts[FEATURE.unfamiliarByte]! += isBlank(before) ? bytes + 1 : bytes;
  } else if (!isSymbol(code) && isBlank(before) && (after === to || isBlank(text.charCodeAt(after))))
    counts[FEATURE.loneSign]! += 1;
  return after;
}

/** Where each range of code points ends, and what it counts as. Rare scripts are one class. */
const SCRIPTS: readonly (readonly [end: number, feature: Feature])[] = [
  [0x0370, "accented"],
  [0x0400, "greek"],
  [0x0530, "cyrillic"],
  [0x0590, "otherLetter"],
  [0x0700, "hebrewArabic"],
  [0x0900, "otherLetter"],
  [0x0d80, "brahmic"],
  [0x0e00, "otherLetter"],
  [0x0e80, "brahmic"],
  [0x1100, "otherLetter"],
  [0x1200, "hangul"],
  [0x1e00, "otherLetter"],
  [0x1f00, "accented"],
  [0x2000, "greek"],
  [0x2e80, "symbol"],
  [0x3000, "otherLetter"],
  [0x3040, "widePunctuation"],
  [0x3100, "kana"],
  [0x4e00, "otherLetter"],
  [0xa000, "han"],
  [0xac00, "otherLetter"],
  [0xd7b0, "hangul"],
  [0xff00, "otherLetter"],
  [0xff10, "widePunctuation"],
  [0xff5b, "otherLetter"],
  [0xfff0, "widePunctuation"],
  [0x10000, "symbol"],
  [0x110000, "astral"],
];
const SCRIPT_ENDS = Uint32Array.from(SCRIPTS, ([end]) => end);
const SCRIPT_FEATURES = Uint8Array.from(SCRIPTS, ([, feature]) => FEATURE[feature]);

function isBlank(code: number): boolean {
  return code === SPACE || code === TAB;
}

/** Symbols and emoji, which stand alone in ordinary text. */
function isSymbol(code: number): boolean {
  return (code >= 0x2000 && code < 0x3000) || code > 0xffff;
}

/** The marks that stand alone in ordinary text: dashes, operators, bullets. */
function isSign(code: number): boolean {
  return SIGNS.includes(String.fromCharCode(code));
}

const SIGNS = "-=|+*/&<>:#{}()[]?;!";

/** Punctuation and, because they end up as rare tokens too, control characters. */
function isMark(code: number): boolean {
  return code < 128 && code !== NEWLINE && !isBlank(code) && !isAlphanumeric(code);
}
