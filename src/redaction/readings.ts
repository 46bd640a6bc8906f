/** A text as it would be read once something is decoded, and where its characters stand in the original. */
export interface Reading {
  readonly text: string;
  /** The stretch of the original that `start` to `end` of the reading comes from. */
  readonly original: (start: number, end: number) => { start: number; end: number };
}

/** A colour or other control sequence of a terminal; in JSON and in source code its first character is written out. */
const ESCAPE = "\u001B";
const TERMINAL = new RegExp(`(?:${ESCAPE}|\\\\(?:u001[bB]|x1[bB]|033|e))\\[[0-9;?]{0,24}[A-Za-z]`, "g");

/** The text without terminal colours, which stand between a name and its value, or right before a command. */
export function withoutColours(text: string): Reading | undefined {
  if (!text.includes(`${ESCAPE}[`) && !/\\(?:u001b|x1b|033|e)\[/i.test(text)) return undefined;
  return rewrite(text, TERMINAL, () => "");
}

/** Only what decodes to a printable character or to a blank: other bytes are parts of longer characters. */
const PERCENT = /%(?:[2-6][0-9A-Fa-f]|7[0-9A-Ea-e]|0[9AaDd])/g;

/** The text with its percent signs decoded, as in addresses and forms. */
export function percentDecoded(text: string): Reading | undefined {
  return text.includes("%")
    ? rewrite(text, PERCENT, (match) => String.fromCharCode(Number.parseInt(match.slice(1), 16)))
    : undefined;
}

/** A stretch of the reading: as it was, or put in the place of `length` characters. */
interface Piece {
  readonly start: number;
  readonly from: number;
  readonly length: number;
  readonly isDecoded: boolean;
}

function rewrite(text: string, pattern: RegExp, decode: (match: string) => string): Reading | undefined {
  const pieces: Piece[] = [];
  let result = "";
  let from = 0;
  for (const { index, 0: match } of text.matchAll(pattern)) {
    pieces.push({ start: result.length, from, length: index - from, isDecoded: false });
    result += text.slice(from, index);
    const decoded = decode(match);
    if (decoded !== "")
      pieces.push({ start: result.length, from: index, length: match.length, isDecoded: true });
    result += decoded;
    from = index + match.length;
  }
  if (from === 0) return undefined;
  pieces.push({ start: result.length, from, length: text.length - from, isDecoded: false });
  result += text.slice(from);
  return {
    text: result,
    original(start, end) {
      const [first, last] = [pieceAt(pieces, start), pieceAt(pieces, end - 1)];
      return {
        start: first.isDecoded ? first.from : first.from + start - first.start,
        end: last.isDecoded ? last.from + last.length : last.from + end - last.start,
      };
    },
  };
}

/** The last piece that begins at `index` or before. */
function pieceAt(pieces: readonly Piece[], index: number): Piece {
  let low = 0;
  let high = pieces.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (pieces[middle]!.start <= index) low = middle;
    else high = middle - 1;
  }
  return pieces[low]!;
}
