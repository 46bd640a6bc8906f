/**
 * What a text consists of, and the hundredths of a token that each piece costs, usually and at most: for Claude 4.7 and
 * later, Claude 3 to 4.6, GPT, Gemini. Measured on briefings and on random text of every kind (docs/handoff.md); the
 * most is what keeps all of them below their bound.
 */
const COSTS = {
  line: [120, 120, 123, 147, 103, 103, 103, 103],
  // The first blank of a line, and one after another blank.
  indent: [0, 75, 18, 18, 18, 63, 70, 70],
  blank: [0, 12, 7, 13, 2, 6, 4, 7],
  // A word after a blank, and one after anything else.
  word: [130, 130, 104, 104, 99, 104, 102, 104],
  glued: [135, 135, 75, 75, 61, 61, 96, 102],
  capital: [127, 153, 0, 84, 0, 0, 0, 0],
  // A letter after eight others, and one that rarely follows the one before it.
  long: [79, 96, 52, 62, 24, 53, 27, 53],
  rare: [68, 180, 140, 179, 96, 152, 86, 145],
  // The first digit of a number, and each further one. A mark, and each further one that is another.
  number: [62, 241, 95, 242, 142, 207, 128, 207],
  digit: [43, 48, 30, 43, 6, 34, 82, 103],
  mark: [134, 148, 108, 157, 81, 104, 95, 104],
  marks: [34, 136, 25, 135, 29, 72, 12, 71],
  // A letter of two bytes; Chinese, Japanese, Korean; all else of three bytes; half of what has four, such as emoji.
  two: [57, 342, 57, 319, 34, 302, 34, 206],
  wide: [105, 348, 106, 355, 67, 249, 59, 204],
  three: [107, 509, 102, 514, 47, 412, 38, 211],
  half: [408, 408, 400, 400, 258, 258, 103, 103],
} as const;

type Piece = keyof typeof COSTS;
const PIECES = Object.keys(COSTS) as Piece[];
const NONE = Object.fromEntries(PIECES.map((piece) => [piece, 0])) as Record<Piece, number>;

/** The tokens of a text: for each family, as many as is usual and the most. */
export function weigh(text: string): readonly { readonly usual: number; readonly most: number }[] {
  const counts = countPieces(text);
  const sum = (column: number) =>
    PIECES.reduce((total, piece) => total + counts[piece] * COSTS[piece][column]!, 0) / 100;
  return [0, 2, 4, 6].map((column) => ({ usual: Math.round(sum(column)), most: Math.ceil(sum(column + 1)) }));
}

function countPieces(text: string): Record<Piece, number> {
  const counts = { ...NONE, line: 1 };
  let last = NEWLINE;
  let before = "space";
  let letters = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const kind = ASCII[code] ?? pieceBeyondAscii(code);
    const isFirst = kind !== before;
    if (kind === "letter") {
      letters = isFirst ? 1 : letters + 1;
      if (isFirst) counts[before === "space" ? "word" : "glued"] += 1;
      else if ((FOLLOWERS[last & 31]! & (1 << (code & 31))) === 0) counts.rare += 1;
      if (letters > 8) counts.long += 1;
      if (code <= LAST_CAPITAL && (isFirst || last > LAST_CAPITAL)) counts.capital += 1;
    } else if (kind === "space") {
      if (code === NEWLINE) counts.line += 1;
      else if (!isFirst) counts[last === NEWLINE ? "indent" : "blank"] += 1;
    } else if (kind === "digit") counts[isFirst ? "number" : "digit"] += 1;
    else if (kind !== "mark") counts[kind] += 1;
    else if (code !== last) counts[isFirst ? "mark" : "marks"] += 1;
    last = code;
    before = kind;
  }
  return counts;
}

const NEWLINE = 10;
const LAST_CAPITAL = 90;

const ASCII = Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (/\s/.test(character)) return "space";
  if (/[a-z]/i.test(character)) return "letter";
  return /\d/.test(character) ? "digit" : "mark";
});

function pieceBeyondAscii(code: number): Piece {
  if (code < 0x800) return "two";
  if (code >= 0xd800 && code < 0xe000) return "half";
  return /[\u3000-\u30ff\u4e00-\u9fff\uac00-\ud7af\uff00-\uffef]/.test(String.fromCharCode(code))
    ? "wide"
    : "three";
}

/** The letters that often follow each letter of the alphabet in words of European languages, as bits: `a` is bit 1. */
const FOLLOWERS: readonly number[] = [
  "",
  ..."bcdfghijklmnprstuvwxyz aeijlorsuy acehijklorstuyz adeilnorsuy abcdefgijklmnopqrstuvwxyz aefilorstu aeghilnorstu aeinortu abcdefgklmnopqrstvwz aeios aceilnopstu abdeilmnostuvy abeilmopsu acdefgiklmnopstuvyz abcdefgijklmnoprstuvwz aceilmoprstu u abcdefgiklmnorstuvwyz acdefhiklmnopstuyz acdehilnoprstuwy abcdefgijklmnprst aeio aehinorsy aceipt aceilmnopstw aeinouwy".split(
    " ",
  ),
].map((letters) =>
  Array.from(letters).reduce((bits, letter) => bits | (1 << (letter.charCodeAt(0) & 31)), 0),
);
