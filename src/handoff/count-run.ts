import { isRarePair } from "./common-pairs.ts";
import { COMMON_WORDS } from "./common-words.ts";
import { FEATURE, type Counts } from "./features.ts";

/** A maximal stretch of ASCII letters and digits inside a line. */
export interface Run {
  readonly from: number;
  readonly to: number;
  /** Whether a blank stands before it: most tokenizers swallow that blank with a word, but not with a number. */
  readonly isSpaced: boolean;
  /** Whether it starts its line. */
  readonly isFirst: boolean;
}

const LOWER = 1;
const UPPER = 2;
const DIGIT = 3;
/** Shorter runs are words such as `v2` or `h264`, however mixed. */
const SHORTEST_NOISE = 6;

/** Counts the features of one run. */
export function countRun(text: string, run: Run, counts: Counts): void {
  const length = run.to - run.from;
  const shape = length < SHORTEST_NOISE ? undefined : shapeOf(text, run);
  if (shape?.isHex === true && shape.digitTurns > 0) counts[FEATURE.hexChar]! += length;
  else if (shape !== undefined && isNoise(shape, length)) counts[FEATURE.mixedChar]! += length;
  else countParts(text, run, counts);
}

interface Shape {
  /** How often lower case, upper case and digits alternate. */
  readonly turns: number;
  readonly digitTurns: number;
  readonly isHex: boolean;
}

function shapeOf(text: string, run: Run): Shape {
  let turns = 0;
  let digitTurns = 0;
  let isHex = true;
  let before = kindOf(text.charCodeAt(run.from));
  for (let at = run.from; at < run.to; at += 1) {
    const code = text.charCodeAt(at);
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

function countParts(text: string, run: Run, counts: Counts): void {
  let at = run.from;
  while (at < run.to) {
    const from = at;
    const isNumber = kindOf(text.charCodeAt(at)) === DIGIT;
    while (at < run.to && (kindOf(text.charCodeAt(at)) === DIGIT) === isNumber) at += 1;
    const leads = from === run.from;
    if (isNumber) {
      counts[FEATURE.digitRun]! += 1;
      counts[FEATURE.digit]! += at - from;
      if (leads && run.isSpaced) counts[FEATURE.spacedDigit]! += 1;
    } else {
      counts[leads && (run.isSpaced || run.isFirst) ? FEATURE.word : FEATURE.gluedWord]! += 1;
      countHumps(text, from, at, counts);
    }
  }
}

/** `parseHttpURL` is three humps: tokenizers seldom have a piece for the whole of a name. */
function countHumps(text: string, from: number, to: number, counts: Counts): void {
  let start = from;
  for (let at = from + 1; at < to; at += 1) {
    if (!startsHump(text, at, to)) continue;
    counts[FEATURE.innerHump]! += 1;
    countHump(text, start, at, counts);
    start = at;
  }
  countHump(text, start, to, counts);
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
  }
  for (let at = from + 1; at < to; at += 1) {
    if (isRarePair(text.charCodeAt(at - 1), text.charCodeAt(at))) counts[FEATURE.rarePair]! += 1;
  }
}

function kindOf(code: number): number {
  if (code >= 97) return LOWER;
  return code >= 65 ? UPPER : DIGIT;
}
