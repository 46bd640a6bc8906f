/**
 * What must not reach a reader or a terminal unescaped: control characters (escape sequences among them), bidirectional
 * overrides, invisible and ignorable characters, tag characters that smuggle ASCII, lone surrogates and private code
 * points.
 */
const invisible = () =>
  (madeInvisible ??= /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu);
// Compiled on first use: that takes a millisecond, and most text is plain.
let madeInvisible: RegExp | undefined;

/** A joiner or variation selector right after an emoji only changes how it is drawn. */
const emojiPart = () =>
  (madeEmojiPart ??= /(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}]\u{fe0f}?)(?:\u{200d}|\u{fe0f})/u);
let madeEmojiPart: RegExp | undefined;

const LINE_END = /\r\n|[\n\r\v\f\u{85}\u{2028}\u{2029}]/u;

/**
 * Most text matches this and needs no closer look: visible ASCII, Latin, Greek, Cyrillic, dashes, quotes, arrows, boxes,
 * kana, Han and Hangul. By ranges, because Unicode classes take milliseconds to compile.
 */
export const PLAIN: RegExp =
  /^[\n -~\xa0-\xac\xae-\u02ff\u0370-\u0482\u048a-\u052f\u2010-\u2027\u2030-\u205e\u20a0-\u20bf\u2190-\u23ff\u2500-\u27bf\u3000-\u30ff\u4e00-\u9fff\uac00-\ud7a3\uff01-\uff5e]*$/;

/** The text with every invisible character written out, such as `\u202e`. Line ends become `\n`. */
export function visible(text: string): string {
  if (PLAIN.test(text)) return text;
  return text.split(LINE_END).map(visibleLine).join("\n");
}

/** The text in one line: line ends become a sign, blank lines go. */
export function oneLine(text: string): string {
  const seen = visible(text);
  if (!seen.includes("\n")) return seen;
  return seen
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .join(" ⏎ ");
}

/** About the length of the note on a cut. */
const NOTE = 24;

/**
 * The text cut to about `length` characters, saying how many are missing. Text that is not much longer is left alone,
 * since the note would cost as much as it saves. What earlier cuts removed counts as missing, too.
 */
export function clip(text: string, length: number): string {
  if (text.length <= length + NOTE) return text;
  const atWord = text.lastIndexOf(" ", length);
  let end = atWord > length * 0.75 ? atWord : length;
  // Never cut a surrogate pair in half.
  if (isHighSurrogate(text.charCodeAt(end - 1))) end -= 1;
  // Nor an earlier note.
  const note = text.lastIndexOf("… [+", end);
  if (note >= 0 && note < end && text.indexOf("]", note) >= end) end = note;
  return `${text.slice(0, end)}${noteOfCut(lengthOf(text.slice(end)))}`;
}

/** The note in place of what was cut off. */
export function noteOfCut(length: number): string {
  return `… [+${length} chars]`;
}

/** The length of a text before parts of it were cut. */
function lengthOf(text: string): number {
  if (!text.includes("… [+")) return text.length;
  const notes = text.matchAll(/… \[\+(\d{1,9}) chars\]/g);
  return [...notes].reduce((sum, [note, missing]) => sum + Number(missing) - note.length, text.length);
}

/** JSON that is safe to print: the same value, with invisible characters as JSON's own escapes. */
export function visibleJson(json: string): string {
  if (PLAIN.test(json)) return json;
  return json.replaceAll(invisible(), (character) =>
    character === "\n" ? character : character.replaceAll(/[^]/g, (unit) => escapeUnit(unit.charCodeAt(0))),
  );
}

function visibleLine(line: string): string {
  return line.replaceAll(invisible(), (character, offset: number) =>
    isEmojiPart(line, character, offset) ? character : escape(character),
  );
}

function isEmojiPart(line: string, character: string, offset: number): boolean {
  if (character !== "\u{200d}" && character !== "\u{fe0f}") return false;
  return emojiPart().test(line.slice(Math.max(0, offset - 3), offset + 1));
}

function escape(character: string): string {
  const code = character.codePointAt(0)!;
  if (character === "\t") return " ";
  if (code < 0x100) return `\\x${code.toString(16).padStart(2, "0")}`;
  return code > 0xffff ? `\\u{${code.toString(16)}}` : escapeUnit(code);
}

function escapeUnit(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, "0")}`;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00;
}
