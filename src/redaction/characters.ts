/** Classes of characters, to be combined with `|`. Looked up in a table: this runs at every character of a text. */
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
export const ALPHANUMERIC = 512;
/** What tokens and keys consist of. */
export const TOKEN = 1024;
/** What stands between a name and its value. */
export const DELIMITER = 2048;

/** One entry per code unit, so no bounds need checking. Letters beyond ASCII are part of values, never of names. */
const CLASSES: Uint16Array = new Uint16Array(65_536).fill(BARE | WORD, 128);

// Strings, not regular expressions: compiling a dozen of those takes longer than filling the table.
const SPACES = " \t\n\v\f\r";
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const ALPHANUMERICS = `${LETTERS}0123456789`;
mark(IDENTIFIER, `${ALPHANUMERICS}_$.-`);
mark(BLANK, " \t");
mark(QUOTE, "\"'`");
mark(BACKSLASH, "\\");
mark(BARE, allBut(`${SPACES}"'\`,;<>(){}[]|&\\`));
mark(WORD, allBut(`${SPACES}"'\`\\`));
mark(LETTER, LETTERS);
mark(CLOSING, ";,.)|&");
mark(OPERATOR, "=!<>+*/%&|^~?:");
mark(ALPHANUMERIC, ALPHANUMERICS);
mark(TOKEN, `${ALPHANUMERICS}_.+/~-`);
mark(DELIMITER, ":=>");

function mark(characterClass: number, characters: string): void {
  for (const character of characters) CLASSES[character.charCodeAt(0)]! |= characterClass;
}

function allBut(excluded: string): string {
  const ascii = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));
  return ascii.filter((character) => !excluded.includes(character)).join("");
}

/** The classes of the character at an index within the text. */
export function classesAt(text: string, index: number): number {
  return CLASSES[text.charCodeAt(index)] ?? 0;
}

export function isOneOf(text: string, index: number, classes: number): boolean {
  return index >= 0 && index < text.length && (classesAt(text, index) & classes) !== 0;
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
