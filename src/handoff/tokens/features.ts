/** What is counted in a text to estimate its tokens; the numbers are indexes into the tables of weights. */
export const FEATURE = {
  line: 0,
  blankLine: 1,
  word: 2,
  gluedWord: 3,
  innerHump: 4,
  capitalized: 5,
  lettersOver4: 6,
  lettersOver8: 7,
  capsLetter: 8,
  rarePair: 9,
  digitRun: 10,
  digit: 11,
  spacedDigit: 12,
  hexChar: 13,
  mixedChar: 14,
  mark: 15,
  spacedMark: 16,
  markRun: 17,
  markChange: 18,
  markRepeat: 19,
  indent: 20,
  spaceRun: 21,
  tab: 22,
  accented: 23,
  greek: 24,
  cyrillic: 25,
  hebrewArabic: 26,
  brahmic: 27,
  han: 28,
  kana: 29,
  hangul: 30,
  widePunctuation: 31,
  symbol: 32,
  otherLetter: 33,
  astral: 34,
  // From here on: rare in ordinary text, frequent in text without words.
  loneLetter: 35,
  garbledLetter: 36,
  garbledCaps: 37,
  tinyHump: 38,
  noiseTurn: 39,
  mixedWord: 40,
  digitsOver6: 41,
  lettersOver20: 42,
  marksOver4: 43,
  oddMark: 44,
  unfamiliarByte: 45,
  loneSign: 46,
  noiseRun: 47,
} as const;

export type Feature = keyof typeof FEATURE;

export const FEATURES = Object.keys(FEATURE) as readonly Feature[];

/** One count for each feature. */
export type Counts = Uint32Array;
