import { tokensOf } from "./index/spread.ts";

/** The part of a text with the most of the words, in one line. */
export function excerptOf(text: string, words: readonly string[], chars: number): string {
  const whole = text.replaceAll(/\s+/g, " ").trim();
  if (whole.length <= chars) return whole;
  const lower = whole.toLowerCase();
  const places = words.flatMap((word) => placesOf(lower, word)).toSorted((a, b) => a.at - b.at);
  let best = { from: 0, words: 0 };
  for (const [index, { at }] of places.entries()) {
    const inside = new Set(
      places.slice(index, index + 50).flatMap((place) => (place.at - at < chars * 0.7 ? [place.word] : [])),
    );
    if (inside.size > best.words) best = { from: at, words: inside.size };
  }
  const start = Math.max(0, Math.min(best.from - Math.floor(chars / 6), whole.length - chars));
  const from = start === 0 ? 0 : whole.indexOf(" ", start) + 1;
  return `${from > 0 ? "… " : ""}${whole.slice(from, from + chars).toWellFormed()}${from + chars < whole.length ? " …" : ""}`;
}

/** How often a word is looked for in one text. */
const MOST_PLACES = 100;

function placesOf(text: string, word: string): { readonly at: number; readonly word: string }[] {
  const places: { at: number; word: string }[] = [];
  for (let at = text.indexOf(word); at >= 0 && places.length < MOST_PLACES; at = text.indexOf(word, at + 1))
    if (at === 0 || tokensOf(text.charAt(at - 1)).length === 0) places.push({ at, word });
  return places;
}
