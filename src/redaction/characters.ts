/** Classes of characters, to be combined with `|`. Looked up in a table: this runs at every `:` and `=` of a text. */
export const IDENTIFIER = 1;
export const BLANK = 2;
export const QUOTE = 4;
export const BACKSLASH = 8;
/** What a value without quotation marks consists of in most notations. */
export const BARE = 16;
/** What a shell or a `.env` file would still count as part of the value. */
export const WORD = 32;
export const LETTER = 64;
/** Punctuation that ends a sentence or a statement. */
export const CLOSING = 128;
/** What makes a following `=` or `:` part of a comparison, a calculation or a type annotation. */
export const OPERATOR = 256;

/** As long as there are code units, so that no bounds need checking. Letters beyond ASCII are part of values, never of names. */
const TABLE: Uint16Array = new Uint16Array(65_536).fill(BARE | WORD, 128);
mark(IDENTIFIER, /[A-Za-z0-9_$.-]/);
mark(BLANK, /[ \t]/);
mark(QUOTE, /["'`]/);
mark(BACKSLASH, /\\/);
mark(BARE, /[^\s"'`,;<>(){}[\]|&\\]/);
mark(WORD, /[^\s"'`\\]/);
mark(LETTER, /[A-Za-z]/);
mark(CLOSING, /[;,.)|&]/);
mark(OPERATOR, /[=!<>+*/%&|^~?:]/);

function mark(characterClass: number, pattern: RegExp): void {
  for (let code = 0; code < 128; code += 1) {
    if (pattern.test(String.fromCharCode(code))) TABLE[code] = (TABLE[code] ?? 0) | characterClass;
  }
}

export function isOneOf(text: string, index: number, classes: number): boolean {
  if (index < 0 || index >= text.length) return false;
  return ((TABLE[text.charCodeAt(index)] ?? 0) & classes) !== 0;
}

/** Where the stretch of at most `limit` characters of these classes that ends at `end` begins. */
export function skipBack(text: string, end: number, classes: number, limit: number): number {
  const least = Math.max(0, end - limit);
  let start = end;
  while (start > least && isOneOf(text, start - 1, classes)) start -= 1;
  return start;
}

/** Where the stretch of at most `limit` characters of these classes that begins at `start` ends. */
export function skipForward(text: string, start: number, classes: number, limit: number): number {
  const most = Math.min(text.length, start + limit);
  let end = start;
  while (end < most && isOneOf(text, end, classes)) end += 1;
  return end;
}
