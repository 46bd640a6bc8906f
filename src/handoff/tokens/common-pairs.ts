/**
 * Letters that often follow each letter in words of European languages, measured over prose, code and translated
 * messages: all but one in a hundred of their pairs. Text with many other pairs, such as random names, is made of
 * pieces that no tokenizer knows, and takes more tokens than its words.
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

/**
 * 1 for two ASCII letters, in either case, that are rarely adjacent; indexed by `pairOf`. A table, because every letter
 * is looked up.
 */
export const RARE_PAIRS: Uint8Array = new Uint8Array(1024).fill(1, 32);
for (const [letter, followers] of Object.entries(FOLLOWERS)) {
  for (const follower of followers) RARE_PAIRS[pairOf(letter.charCodeAt(0), follower.charCodeAt(0))] = 0;
}

/** The low five bits of a letter are its place in the alphabet, whatever its case. */
export function pairOf(left: number, right: number): number {
  return ((left & 31) << 5) | (right & 31);
}
