import { COMMON_WORDS } from "./common-words.ts";
import { add, FEATURE, type Counts } from "./features.ts";

/** A maximal stretch of ASCII letters and digits inside a line. */
export interface Run {
  readonly from: number;
  readonly to: number;
  /** Whether a blank stands before it: most tokenizers swallow that blank with a word, but not with a number. */
  readonly isSpaced: boolean;
}

const LOWER = 1;
const UPPER = 2;
const DIGIT = 3;
/** Shorter runs are words such as `v2` or `h264`, however mixed. */
const SHORTEST_NOISE = 6;

/** Counts the features of one run, and returns where it ends. */
export function countRun(line: string, run: Run, counts: Counts): number {
  const shape = shapeOf(line, run);
  const length = run.to - run.from;
  if (length >= SHORTEST_NOISE && shape.isHex && shape.digitTurns > 0) add(counts, FEATURE.hexChar, length);
  else if (length >= SHORTEST_NOISE && isNoise(shape, length)) add(counts, FEATURE.mixedChar, length);
  else countParts(line, run, counts);
  return run.to;
}

interface Shape {
  /** How often lower case, upper case and digits alternate. */
  readonly turns: number;
  readonly digitTurns: number;
  readonly isHex: boolean;
}

function shapeOf(line: string, run: Run): Shape {
  let turns = 0;
  let digitTurns = 0;
  let isHex = true;
  let before = kindOf(line.charCodeAt(run.from));
  for (let at = run.from; at < run.to; at += 1) {
    const code = line.charCodeAt(at);
    const kind = kindOf(code);
    if (kind !== before) {
      turns += 1;
      if (kind === DIGIT || before === DIGIT) digitTurns += 1;
    }
    if (kind === UPPER || (kind === LOWER && code > 102)) isHex = false;
    before = kind;
  }
  return { turns, digitTurns, isHex };
}

/** Base64, keys and random ids: no tokenizer knows their pieces, so they are paid for by the character. */
function isNoise(shape: Shape, length: number): boolean {
  return (shape.digitTurns >= 2 || shape.turns >= 4) && shape.turns * 3 >= length;
}

function countParts(line: string, run: Run, counts: Counts): void {
  let at = run.from;
  while (at < run.to) {
    const from = at;
    const isSpaced = run.isSpaced && from === run.from;
    const isNumber = kindOf(line.charCodeAt(at)) === DIGIT;
    while (at < run.to && (kindOf(line.charCodeAt(at)) === DIGIT) === isNumber) at += 1;
    if (isNumber) countNumber(at - from, isSpaced, counts);
    else countWord(line.slice(from, at), isSpaced || from === 0, counts);
  }
}

function countNumber(length: number, isSpaced: boolean, counts: Counts): void {
  add(counts, FEATURE.digitRun, 1);
  add(counts, FEATURE.digit, length);
  if (isSpaced) add(counts, FEATURE.spacedDigit, 1);
}

/** `parseHttpURL` is three humps: tokenizers seldom have a piece for the whole of a name. */
function countWord(word: string, isSpaced: boolean, counts: Counts): void {
  let from = 0;
  for (let at = 1; at <= word.length; at += 1) {
    if (at < word.length && !startsHump(word, at)) continue;
    if (from > 0) add(counts, FEATURE.innerHump, 1);
    else add(counts, isSpaced ? FEATURE.word : FEATURE.gluedWord, 1);
    countHump(word.slice(from, at), counts);
    from = at;
  }
}

function startsHump(word: string, at: number): boolean {
  if (kindOf(word.charCodeAt(at)) !== UPPER) return false;
  if (kindOf(word.charCodeAt(at - 1)) !== UPPER) return true;
  return at + 1 < word.length && kindOf(word.charCodeAt(at + 1)) === LOWER;
}

function countHump(hump: string, counts: Counts): void {
  const isCapital = kindOf(hump.charCodeAt(0)) === UPPER;
  if (isCapital && hump.length > 1 && kindOf(hump.charCodeAt(1)) === UPPER) {
    add(counts, FEATURE.capsLetter, hump.length);
    return;
  }
  if (isCapital) add(counts, FEATURE.capitalized, 1);
  if (hump.length < 5 || COMMON_WORDS.has(hump.toLowerCase())) return;
  if (!/[aeiouy]/i.test(hump)) {
    add(counts, FEATURE.vowellessLetter, hump.length);
    return;
  }
  add(counts, FEATURE.lettersOver4, hump.length - 4);
  if (hump.length > 8) add(counts, FEATURE.lettersOver8, hump.length - 8);
}

function kindOf(code: number): number {
  if (code >= 97) return LOWER;
  return code >= 65 ? UPPER : DIGIT;
}
