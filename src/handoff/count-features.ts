import { countRun } from "./count-run.ts";
import { add, FEATURE, FEATURES, type Counts, type Feature } from "./features.ts";

const TAB = 9;
const SPACE = 32;

/**
 * Counts the features of a text in one pass. No feature crosses the end of a line, so the counts of a text
 * are exactly the sums of the counts of its lines: an item costs the same whatever stands beside it, and
 * the planned size of a handoff is the recount of its text.
 */
export function countFeatures(text: string): Counts {
  const counts = new Uint32Array(FEATURES.length);
  for (const line of text.split("\n")) {
    if (line === "") add(counts, FEATURE.blankLine, 1);
    else countLine(line, counts);
  }
  return counts;
}

function countLine(line: string, counts: Counts): void {
  add(counts, FEATURE.line, 1);
  let at = 0;
  while (at < line.length) {
    const code = line.charCodeAt(at);
    const isSpaced = at > 0 && isBlank(line.charCodeAt(at - 1));
    if (isBlank(code)) at = countBlanks(line, at, counts);
    else if (isAlphanumeric(code)) at = countRun(line, { from: at, to: endOfRun(line, at), isSpaced }, counts);
    else if (code < 128) at = countMarks(line, at, isSpaced, counts);
    else at = countLetter(line.codePointAt(at)!, at, counts);
  }
}

function countBlanks(line: string, from: number, counts: Counts): number {
  let at = from;
  while (at < line.length && isBlank(line.charCodeAt(at))) {
    if (line.charCodeAt(at) === TAB) add(counts, FEATURE.tab, 1);
    at += 1;
  }
  if (from === 0) add(counts, FEATURE.indent, 1);
  else if (at - from > 1) add(counts, FEATURE.spaceRun, 1);
  return at;
}

/** Runs of ASCII punctuation: a rule of dashes is nearly free, a cluster such as `"}],` is not. */
function countMarks(line: string, from: number, isSpaced: boolean, counts: Counts): number {
  let at = from + 1;
  for (; at < line.length && isMark(line.charCodeAt(at)); at += 1) {
    const isRepeat = line.charCodeAt(at) === line.charCodeAt(at - 1);
    add(counts, isRepeat ? FEATURE.markRepeat : FEATURE.markChange, 1);
  }
  if (isSpaced) add(counts, FEATURE.spacedMark, 1);
  if (at - from > 1) add(counts, FEATURE.markRun, 1);
  else if (!isSpaced) add(counts, FEATURE.mark, 1);
  return at;
}

/** Beyond ASCII, a character costs what its script costs on average. */
function countLetter(code: number, at: number, counts: Counts): number {
  add(counts, FEATURE[SCRIPTS.find(([end]) => code < end)![1]], 1);
  return code > 0xffff ? at + 2 : at + 1;
}

/** Where each range of code points ends, and what it counts as. */
const SCRIPTS: readonly (readonly [end: number, feature: Feature])[] = [
  [0x0370, "accented"],
  [0x0400, "greek"],
  [0x0530, "cyrillic"],
  [0x0590, "otherLetter"],
  [0x0900, "hebrewArabic"],
  [0x10a0, "brahmic"],
  [0x1100, "otherLetter"],
  [0x1200, "hangul"],
  [0x1e00, "otherLetter"],
  [0x1f00, "accented"],
  [0x2000, "greek"],
  [0x2e80, "symbol"],
  [0x3040, "widePunctuation"],
  [0x3100, "kana"],
  [0xa000, "han"],
  [0xac00, "otherLetter"],
  [0xd7b0, "hangul"],
  [0xff00, "otherLetter"],
  [0xfff0, "widePunctuation"],
  [0x10000, "symbol"],
  [Infinity, "astral"],
];

function endOfRun(line: string, from: number): number {
  let at = from + 1;
  while (at < line.length && isAlphanumeric(line.charCodeAt(at))) at += 1;
  return at;
}

function isBlank(code: number): boolean {
  return code === SPACE || code === TAB;
}

function isAlphanumeric(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57);
}

/** Punctuation and, because they end up as rare tokens too, control characters. */
function isMark(code: number): boolean {
  return code < 128 && !isBlank(code) && !isAlphanumeric(code);
}
