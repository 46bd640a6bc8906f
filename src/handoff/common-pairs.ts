/**
 * Letters that often follow each letter in words of European languages, measured over prose, code and translated
 * messages: all but one in a hundred of their pairs. Text with many other pairs is made of pieces that no tokenizer
 * knows, such as random names and foreign abbreviations, and takes more tokens than its words.
 */
const FOLLOWERS: Readonly<Record<string, string>> = {
  a: "bcdfghijklmnprstuvwxyz",
  b: "aeijlorsuy",
  c: "acehijklorstuyz",
  d: "adeilnorsuy",
  e: "abcdefgijklmnopqrstuvwxyz",
  f: "aefilorstu",
  g: "aeghilnorstu",
  h: "aeinortu",
  i: "abcdefgklmnopqrstvwz",
  j: "aeios",
  k: "aceilnopstu",
  l: "abdeilmnostuvy",
  m: "abeilmopsu",
  n: "acdefgiklmnopstuvyz",
  o: "abcdefgijklmnoprstuvwz",
  p: "aceilmoprstu",
  q: "u",
  r: "abcdefgiklmnorstuvwyz",
  s: "acdefhiklmnopstuyz",
  t: "acdehilnoprstuwy",
  u: "abcdefgijklmnprst",
  v: "aeio",
  w: "aehinorsy",
  x: "aceipt",
  y: "aceilmnopstw",
  z: "aeinouwy",
};

const LETTERS = 26;
const FIRST_LOWER = 97;
const COMMON = new Uint8Array(LETTERS * LETTERS);
for (const [letter, followers] of Object.entries(FOLLOWERS)) {
  for (const follower of followers) COMMON[pairOf(letter.charCodeAt(0), follower.charCodeAt(0))] = 1;
}

/** Whether two ASCII letters, in either case, seldom stand side by side. */
export function isRarePair(left: number, right: number): boolean {
  return COMMON[pairOf(left | 32, right | 32)] === 0;
}

function pairOf(left: number, right: number): number {
  return (left - FIRST_LOWER) * LETTERS + right - FIRST_LOWER;
}
