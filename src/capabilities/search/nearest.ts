import { distanceBetween } from "../../core/text/suggest.ts";
import type { IndexFile } from "./index/index-file.ts";
import { plain } from "./query.ts";

/** A word that occurs nowhere. */
export interface UnknownWord {
  readonly word: string;
  /** Words that occur and are like it, the nearest first. */
  readonly nearest: readonly string[];
}

const MOST_WORDS = 3;
const SHOWN = 3;

/** The words that occur nowhere, each with the nearest that do. Only words with the same first letter are compared. */
export function nearestWords(file: IndexFile, words: readonly string[]): UnknownWord[] {
  const known = file.sql("SELECT 1 FROM terms WHERE term >= ? AND term < ? LIMIT 1");
  const unknown = words.filter((word) => known.get(plain(word), `${plain(word)}\u{10ffff}`) === undefined);
  return unknown.slice(0, MOST_WORDS).map((word) => ({ word, nearest: nearestTo(file, plain(word)) }));
}

function nearestTo(file: IndexFile, word: string): string[] {
  const most = Math.min(2, Math.max(1, Math.floor(word.length / 3)));
  const first = Array.from(word)[0] ?? "";
  return file
    .sql("SELECT term, doc FROM terms WHERE term >= ? AND term < ? AND abs(length(term) - ?) <= ?")
    .all(first, `${first}\u{10ffff}`, word.length, most)
    .map(({ term, doc }) => ({
      term: String(term),
      doc: Number(doc),
      far: distanceBetween(word, String(term)),
    }))
    .filter(({ far }) => far <= most)
    .toSorted((a, b) => a.far - b.far || b.doc - a.doc)
    .slice(0, SHOWN)
    .map(({ term }) => term);
}
