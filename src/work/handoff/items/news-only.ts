import { type Piece, piecesOf } from "./condense.ts";

/** So many words in a row that were said before are a repetition. */
const RUN = 4;
/** A sentence with less that is new was said before. */
const NEW = 0.3;
/** What a sentence is still worth if none of its names is new. */
const KNOWN = 0.55;

/**
 * A filter for what is told from the newest to the oldest: sentences that were said again later are left out, and those
 * about the same things count less.
 */
export function newsOnly(told: readonly string[]): (pieces: readonly Piece[]) => Piece[] {
  const runs = new Set<string>();
  const names = new Set<string>();
  const fresh = (seen: Set<string>, all: readonly string[]) => {
    const found = all.filter((each) => !seen.has(each));
    for (const each of found) seen.add(each);
    return all.length === 0 ? 1 : found.length / all.length;
  };
  const news = (pieces: readonly Piece[]) =>
    pieces.flatMap((piece) => {
      const words = piece.text.toLowerCase().match(/[\w.-]+/g) ?? [];
      const inRow = new Set(words.slice(RUN - 1).map((_, at) => words.slice(at, at + RUN).join(" ")));
      if (fresh(runs, [...inRow]) < NEW) return [];
      return [{ ...piece, score: piece.score * (KNOWN + (1 - KNOWN) * fresh(names, piece.names)) }];
    });
  for (const text of told) news(piecesOf(text));
  return news;
}
