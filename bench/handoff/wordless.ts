import { visible } from "../../src/core/text/visible.ts";
import { seededRandom, type Random } from "./random.ts";

/** A text without words, and what it is made of. */
export interface Wordless {
  readonly kind: string;
  readonly text: string;
}

const LOWER = range(0x61, 0x7a);
const UPPER = range(0x41, 0x5a);
const DIGITS = range(0x30, 0x39);
const MARKS = Array.from("!@#$%^&*()_+-=[]{};:'\",./<>?|~`\\");
const EMOJI = range(0x1f300, 0x1f5ff);
const COMBINING = range(0x300, 0x34e);

/** What random text is drawn from: every class of characters that the estimator tells apart, and rare ones. */
const ALPHABETS: Readonly<Record<string, readonly string[]>> = {
  "lower case": LOWER,
  "upper case": UPPER,
  "both cases": [...LOWER, ...UPPER],
  "letters and digits": [...LOWER, ...DIGITS],
  base64: [...LOWER, ...UPPER, ...DIGITS, "+", "/"],
  hex: [...DIGITS, ...Array.from("abcdef")],
  "upper-case hex": [...DIGITS, ...Array.from("ABCDEF")],
  digits: DIGITS,
  punctuation: MARKS,
  ASCII: range(33, 126),
  "Latin-1": range(0xc0, 0xff),
  "other Latin": range(0x100, 0x24f),
  phonetic: range(0x250, 0x2af),
  combining: COMBINING,
  Greek: [...range(0x391, 0x3a1), ...range(0x3a3, 0x3c9)],
  Cyrillic: range(0x410, 0x44f),
  "small Cyrillic": range(0x430, 0x44f),
  "small Greek": range(0x3b1, 0x3c9),
  Armenian: range(0x531, 0x556),
  Hebrew: range(0x5d0, 0x5ea),
  Arabic: range(0x620, 0x64a),
  Devanagari: range(0x905, 0x939),
  Bengali: range(0x995, 0x9b9),
  Tamil: Array.from("கஙசஞடணதநபமயரலவழளறன"),
  Thai: range(0xe01, 0xe2e),
  Tibetan: range(0xf40, 0xf6c),
  Georgian: range(0x10d0, 0x10ff),
  Ethiopic: range(0x1200, 0x1248),
  Cherokee: range(0x13a0, 0x13f4),
  superscript: range(0x2070, 0x209c),
  arrows: range(0x2190, 0x23ff),
  enclosed: range(0x2460, 0x24ff),
  boxes: range(0x2500, 0x257f),
  dingbats: range(0x2700, 0x27bf),
  Braille: range(0x2800, 0x28ff),
  kana: range(0x3041, 0x3096),
  katakana: range(0x30a1, 0x30fa),
  "rare Han": range(0x3400, 0x4db5),
  Han: range(0x4e00, 0x9fa5),
  Yi: range(0xa000, 0xa48c),
  Hangul: range(0xac00, 0xd7a3),
  "full width": range(0xff01, 0xff5e),
  cuneiform: range(0x12000, 0x12399),
  mathematical: range(0x1d400, 0x1d4ff),
  emoji: EMOJI,
  "more emoji": range(0x1f900, 0x1f9ff),
  flags: range(0x1f1e6, 0x1f1ff),
  "Han beyond": range(0x20000, 0x2a6d6),
  anything: range(0x80, 0xd7ff),
  control: range(1, 8),
  invisible: [...range(0x200b, 0x200f), ...range(0x202a, 0x202e)],
};

const ODDITIES: Readonly<Record<string, (random: Random) => string>> = {
  "cases in turn": (random) => repeat(100, () => random.pick(LOWER) + random.pick(UPPER)),
  "marks and letters in turn": (random) => repeat(100, () => random.pick(LOWER) + random.pick(MARKS)),
  "digits and letters in turn": (random) => repeat(100, () => random.pick(LOWER) + random.pick(DIGITS)),
  "one emoji": (random) => random.pick(EMOJI).repeat(150),
  "wide gaps": (random) => repeat(60, () => " ".repeat(random.integer(2, 40)) + random.pick(LOWER)),
  "one letter a line": (random) => repeat(150, () => `${random.pick(LOWER)}\n`),
  "stacked accents": (random) =>
    repeat(80, () => random.pick(LOWER) + repeat(4, () => random.pick(COMBINING))),
  "joined emoji": (random) => repeat(60, () => `${random.pick(EMOJI)}\u{200d}${random.pick(EMOJI)}\u{fe0f}`),
  everything: (random) => repeat(200, () => random.pick(random.pick(Object.values(ALPHABETS)))),
};

/**
 * Random text of every kind, as a briefing would show it: in words, in one run, and letter by letter. Nobody writes
 * that, but a hostile state can.
 */
export function wordlessTexts(seed: number, ofEach: number): Wordless[] {
  const random = seededRandom(seed);
  const makers = [
    ...Object.entries(ALPHABETS).flatMap(([kind, letters]) => [
      [`${kind}, words`, () => words(random, letters)] as const,
      [`${kind}, one run`, () => repeat(random.integer(60, 400), () => random.pick(letters))] as const,
      [`${kind}, apart`, () => repeat(120, () => `${random.pick(letters)} `)] as const,
    ]),
    ...Object.entries(ODDITIES).map(([kind, make]) => [kind, () => make(random)] as const),
  ];
  const repeated = LOWER.map((letter) => ({ kind: "one letter", text: letter.repeat(300) }));
  const made = makers.flatMap(([kind, make]) =>
    Array.from({ length: ofEach }, () => ({ kind, text: visible(make()) })),
  );
  return [...made, ...repeated];
}

/** Words that could be words, or common characters in no order: the estimator cannot tell them from real text. */
export function madeUpTexts(seed: number, ofEach: number): Wordless[] {
  const random = seededRandom(seed);
  const [consonants, vowels] = [Array.from("bcdfgklmnprstv"), Array.from("aeiou")];
  const syllables = (): string =>
    repeat(random.integer(1, 4), () => random.pick(consonants) + random.pick(vowels));
  const makers = {
    syllables: () => Array.from({ length: 60 }, syllables).join(" "),
    "common Han": () => repeat(200, () => random.pick(commonHan)),
    "common Hangul": () => repeat(200, () => random.pick(commonHangul)),
  };
  const commonHan = Array.from(commonIn("gb2312", [0xb0, 0xd7]).join(""));
  const commonHangul = Array.from(commonIn("euc-kr", [0xb0, 0xc8]).join(""));
  return Object.entries(makers).flatMap(([kind, make]) =>
    Array.from({ length: ofEach }, () => ({ kind, text: make() })),
  );
}

/** The ideographs or syllables that a national standard put first, because they are the common ones, row by row. */
function commonIn(encoding: string, [first, last]: readonly [number, number]): string[] {
  const decoder = new TextDecoder(encoding);
  return Array.from({ length: last - first + 1 }, (_, row) =>
    decoder
      .decode(Uint8Array.from({ length: 188 }, (_, at) => (at % 2 === 0 ? first + row : 0xa1 + (at >> 1))))
      .replaceAll("\u{fffd}", ""),
  );
}

function words(random: Random, letters: readonly string[]): string {
  return Array.from({ length: 60 }, () => repeat(random.integer(2, 9), () => random.pick(letters))).join(" ");
}

function repeat(times: number, make: () => string): string {
  return Array.from({ length: times }, make).join("");
}

function range(first: number, last: number): string[] {
  return Array.from({ length: last - first + 1 }, (_, at) => String.fromCodePoint(first + at));
}
