const TOKEN = 1;
const DELIMITER = 2;
const QUOTE = 3;

/** What each character is to the scanner. As long as there are code units, so that no bounds need checking. */
const KINDS: Uint8Array = new Uint8Array(65_536);
for (let code = 0; code < 128; code += 1) {
  if (/[A-Za-z0-9_.+/~-]/.test(String.fromCharCode(code))) KINDS[code] = TOKEN;
}
for (const character of ":=>") KINDS[character.charCodeAt(0)] = DELIMITER;
for (const character of "\"'") KINDS[character.charCodeAt(0)] = QUOTE;

/** No secret that is recognised by its own looks is shorter than this. */
const MIN_RUN_LENGTH = 16;
const DASH = 45;
const LETTER_I = 105;
const LETTER_S = 115;

export interface ScanVisitor {
  /** At least 16 characters that may be a token: letters, digits and `_ . + / ~ -`. */
  run(start: number, end: number): void;
  /** A word that starts with a dash, as the options of a command do. */
  flag(start: number): void;
  /** The word `is`: what precedes may be a name, what follows its value. */
  is(start: number, end: number): void;
  /** One of `: = >`: what precedes may be a name, what follows its value. */
  delimiter(index: number): void;
  /** A quotation mark that opens or closes. */
  quote(index: number): void;
}

/**
 * Walks over the text once and reports the few places where a secret can be.
 *
 * This is what makes clean text cheap: one table look-up a character, and no regular expression runs unless
 * one of these places is reached. A loop, not a regular expression: with a hundred prefixes that is four times slower.
 */
export function scan(text: string, visitor: ScanVisitor): void {
  const { length } = text;
  for (let index = 0; index < length; index += 1) {
    const kind = KINDS[text.charCodeAt(index)];
    if (kind === TOKEN) {
      const start = index;
      do index += 1;
      while (index < length && KINDS[text.charCodeAt(index)] === TOKEN);
      endRun(text, start, index, visitor);
      // The character that ended the run may be a delimiter.
      index -= 1;
    } else if (kind === DELIMITER) {
      visitor.delimiter(index);
    } else if (kind === QUOTE) {
      visitor.quote(index);
    }
  }
}

function endRun(text: string, start: number, end: number, visitor: ScanVisitor): void {
  const length = end - start;
  if (length === 2 && text.charCodeAt(start) === LETTER_I && text.charCodeAt(start + 1) === LETTER_S) {
    visitor.is(start, end);
    return;
  }
  if (length >= MIN_RUN_LENGTH) visitor.run(start, end);
  if (length >= 2 && text.charCodeAt(start) === DASH) visitor.flag(start);
}
