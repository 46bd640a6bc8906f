/** No secret that is recognised by its own looks is shorter than this. */
const MIN_RUN_LENGTH = 16;

/** How nouns for secrets end, and what is put behind them: `API_KEY`, `db_password_old`, `TOKEN_STAGING`. */
const NOUN_ENDINGS =
  "key eys ken ion ret ets ord rds swd wds pwd ass ase ode des ial als pat psk uth kie ies eed nic jwt rer prod prd old dev new staging stage live test value local base string raw";

export interface ScanVisitor {
  /** At least 16 characters that may be a token: letters, digits and `_ . + / ~ -`. */
  run(start: number, end: number): void;
  /** A word that starts with a dash, as the options of a command do, or `/p`, as on Windows. */
  flag(start: number): void;
  /** A word that may end in a noun for secrets, as `API_KEY` does: what follows may be its value. */
  name(start: number, end: number): void;
  /** A word before an opening bracket: the name of a function that is called. */
  call(start: number, end: number): void;
  /** One of `: = >`: what precedes may be a name, what follows its value. */
  delimiter(index: number): void;
  /** A quotation mark that opens or closes. */
  quote(index: number): void;
}

/**
 * Walks over the text once and reports the few places where a secret can be.
 *
 * This is what makes clean text cheap: one table look-up per character, and no regular expression runs unless one of
 * these places is reached. A loop, because a regular expression with a hundred prefixes is four times slower.
 */
export function scan(text: string, visitor: ScanVisitor): void {
  const { length } = text;
  for (let index = 0; index < length; index += 1) {
    const classes = classesAt(text, index);
    if ((classes & TOKEN) !== 0) {
      let end = index + 1;
      while (end < length && (classesAt(text, end) & TOKEN) !== 0) end += 1;
      visitToken(text, index, end, visitor);
      // The character that ended the token may be a delimiter.
      index = end - 1;
    } else if ((classes & DELIMITER) !== 0) {
      visitor.delimiter(index);
    } else if ((classes & QUOTE) !== 0) {
      visitor.quote(index);
    }
  }
}

function visitToken(text: string, start: number, end: number, visitor: ScanVisitor): void {
  const length = end - start;
  if (length >= MIN_RUN_LENGTH) visitor.run(escapeEnd(text, start, end), end);
  if (text[end] === "(") visitor.call(start, end);
  if (length >= 2 && (text[start] === "-" || (length === 2 && text[start] === "/"))) visitor.flag(start);
  else if (length >= 2 && mayEndNoun(text, start, end)) visitor.name(escapeEnd(text, start, end), end);
}

/** By the last three letters in small or capital letters: five bits of each make an index. Other characters may look alike. */
const ENDS_NOUN = new Uint8Array(32_768);
for (const ending of NOUN_ENDINGS.split(" ")) ENDS_NOUN[endIndex(ending, ending.length)] = 1;

function endIndex(text: string, end: number): number {
  return (
    ((text.charCodeAt(end - 3) & 31) << 10) |
    ((text.charCodeAt(end - 2) & 31) << 5) |
    (text.charCodeAt(end - 1) & 31)
  );
}

/** A quick no for most words. */
function mayEndNoun(text: string, start: number, end: number): boolean {
  const last = text.charCodeAt(end - 1);
  // Numbered ones, and `pw` behind anything.
  if (last >= 48 && last <= 57) return (classesAt(text, start) & LETTER) !== 0;
  if ((last | 32) === 119 && (text.charCodeAt(end - 2) | 32) === 112) return true;
  return end - start >= 3 && ENDS_NOUN[endIndex(text, end)] === 1;
}

/** The rest of an escape, whose letters and digits are no part of the word that follows. */
const ESCAPE = /^(?:[nrtbf]|u[0-9a-f]{4}|x[0-9a-f]{2})/i;

/** Where the first word really begins: after an escape that stands at the beginning of the run, or the mark of a diff. */
function escapeEnd(text: string, start: number, end: number): number {
  if (text[start - 1] === "%") return start + (/^[0-9a-f]{2}/i.test(text.slice(start, start + 2)) ? 2 : 0);
  if (text[start] === "+" && /^[\n\r]?$/.test(text.charAt(start - 1))) return start + 1;
  if (text[start - 1] !== "\\") return start;
  return start + (ESCAPE.exec(text.slice(start, Math.min(end, start + 8)))?.[0].length ?? 0);
}

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
const TOKEN = 1024;
/** What stands between a name and its value. */
const DELIMITER = 2048;

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
function classesAt(text: string, index: number): number {
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
