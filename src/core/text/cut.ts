/** A text cut to a length, never inside a character. */
export function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  return `${text.slice(0, length).replace(/[\u{d800}-\u{dbff}]$/u, "")}…`;
}
