import { type Piece, piecesOf } from "./condense.ts";

/** So many words in a row that were said before are a repetition. */
const RUN = 4;
/** A sentence with less that is new was said before. */
const NEW = 0.5;

/** A filter for what is told from the newest to the oldest: sentences that are told already are left out. */
export function newsOnly(told: readonly string[]): (pieces: readonly Piece[]) => Piece[] {
  const seen = new Set<string>();
  const isNews = ({ text }: Piece): boolean => {
    const words = text.toLowerCase().match(/[\w.-]+/g) ?? [];
    const runs = new Set(words.slice(RUN - 1).map((_, at) => words.slice(at, at + RUN).join(" ")));
    const fresh = [...runs].filter((run) => !seen.has(run));
    for (const run of fresh) seen.add(run);
    return runs.size === 0 || fresh.length / runs.size >= NEW;
  };
  for (const text of told) piecesOf(text).filter(isNews);
  return (pieces) => pieces.filter(isNews);
}
