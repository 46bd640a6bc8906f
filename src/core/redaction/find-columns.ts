import { cachedKeyKind, type KeyKind, namesSecret, ruleOf } from "./key-names.ts";
import { isGenerated } from "./randomness.ts";
import { BLANK, skipForward } from "./scan.ts";
import type { Span } from "./span.ts";
import { isHarmless, isPasswordLike } from "./values.ts";

/** A noun at the end of a cell. */
const NOUN =
  /(?:assw(?:or)?d|passphrase|secret|token|key|credential|_pass|\bpass|pwd)s?["'`\\]{0,4} {0,40}(?=[|,;\t\n\r\\]| {2}|$)/gi;
const LINE_BREAK = /\r?\n|\\{1,7}n/g;
const MAX_LINE_LENGTH = 400;
const MAX_ROWS = 200;

/** What separates the cells of a line, whichever it has first. */
const SEPARATORS = ["|", "\t", ",", ";", "  "];
/** A row of nothing but lines, as between the headings and the values. */
const SEPARATOR_ROW = /^[\s|:+=\\-]*$/;
const HEADING = /^[\s"'`\\]*[A-Za-z#][\w .#()/-]{0,40}[\s"'`\\]*$|^\s*$/;

/** A line or a cell. */
type TextRange = Omit<Span, "rule">;

/**
 * Adds the values below the heading that names a secret, in Markdown, CSV, what databases print, and columns that blanks align.
 * A line is read once: the rows of a table are not its headings.
 */
export function findColumns(text: string, found: Span[]): void {
  let until = 0;
  for (const { index } of text.matchAll(NOUN)) {
    if (index < until) continue;
    const header = lineAround(text, index);
    if (header === undefined) continue;
    const separator = SEPARATORS.find((mark) => text.slice(header.start, header.end).includes(mark)) ?? "|";
    const headings = cellsOf(text, header, separator);
    if (!headings.every((cell) => HEADING.test(slice(text, cell)))) continue;
    if (headings.filter((cell) => slice(text, cell).trim() !== "").length < 2) continue;
    const kinds = headings.map((cell) =>
      cachedKeyKind(
        slice(text, cell)
          .trim()
          .replaceAll(/[^\w-]+/g, "_"),
      ),
    );
    until = kinds.some(namesSecret) ? readRows(text, header.end, separator, kinds, found) : header.end;
  }
}

function readRows(
  text: string,
  from: number,
  separator: string,
  kinds: readonly KeyKind[],
  found: Span[],
): number {
  let end = from;
  for (let row = 0; row < MAX_ROWS; row += 1) {
    const line = lineAfter(text, end);
    if (line === undefined) break;
    if (!SEPARATOR_ROW.test(slice(text, line))) {
      const cells = cellsOf(text, line, separator);
      if (cells.length !== kinds.length) break;
      for (const [at, cell] of cells.entries()) judgeCell(text, cell, kinds[at]!, found);
    }
    end = line.end;
  }
  return end;
}

function judgeCell(text: string, cell: TextRange, kind: KeyKind, found: Span[]): void {
  if (!namesSecret(kind)) return;
  const [, before = "", value = ""] = /^([\s"'`\\*]*)(.*?)[\s"'`\\*]*$/.exec(slice(text, cell)) ?? [];
  const isSecret = isGenerated(value) || (kind !== "opaque" && value.length >= 8 && isPasswordLike(value));
  if (!isSecret || isHarmless(value)) return;
  const start = cell.start + before.length;
  found.push({ start, end: start + value.length, rule: ruleOf(kind) });
}

const slice = (text: string, { start, end }: TextRange) => text.slice(start, end);

/** The line that holds a position, unless it is a long one. */
function lineAround(text: string, index: number): TextRange | undefined {
  const from = Math.max(0, index - MAX_LINE_LENGTH);
  const before = Array.from(text.slice(from, index).matchAll(LINE_BREAK)).at(-1);
  if (before === undefined && from > 0) return undefined;
  const start = before === undefined ? 0 : from + before.index + before[0].length;
  const end = lineEnd(text, index);
  return end === undefined ? undefined : { start, end };
}

function lineAfter(text: string, end: number): TextRange | undefined {
  const start = end + (/^(?:\r?\n|\\{1,7}n)/.exec(text.slice(end, end + 9))?.[0].length ?? 0);
  const last = start === end ? undefined : lineEnd(text, start);
  return last === undefined || last === start ? undefined : { start, end: last };
}

function lineEnd(text: string, from: number): number | undefined {
  const rest = text.slice(from, from + MAX_LINE_LENGTH);
  const stop = rest.search(/\r?\n|\\{1,7}n/);
  if (stop >= 0) return from + stop;
  return rest.length < MAX_LINE_LENGTH ? text.length : undefined;
}

/** The cells between the separators; several blanks are one separator. */
function cellsOf(text: string, line: TextRange, separator: string): TextRange[] {
  const cells: TextRange[] = [];
  let start = line.start;
  for (;;) {
    const at = text.indexOf(separator, start);
    if (at < 0 || at >= line.end) return [...cells, { start, end: line.end }];
    cells.push({ start, end: at });
    start = at + separator.length;
    if (separator === "  ") start = skipForward(text, start, BLANK, MAX_LINE_LENGTH);
  }
}
