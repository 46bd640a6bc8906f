/**
 * What JSON leaves as it is although a terminal would obey or hide it: C1 controls, zero-width and bidirectional
 * characters, line separators, tags. Ranges are written out, because properties take long to build.
 */
const UNSAFE =
  /[\u{7f}-\u{9f}\u{ad}\u{61c}\u{180e}\u{200b}-\u{200f}\u{2028}-\u{202e}\u{2060}-\u{206f}\u{feff}\u{fff9}-\u{fffb}\u{e0000}-\u{e0fff}]/gu;

/** A value as JSON that is safe to print: the same value to every parser, with unsafe characters as escapes. */
export function safeJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(UNSAFE, (character) =>
    Array.from({ length: character.length }, (_, index) => escape(character.charCodeAt(index))).join(""),
  );
}

function escape(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, "0")}`;
}
