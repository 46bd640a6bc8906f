import { stripVTControlCharacters } from "node:util";
import { CLIENT_NAMES } from "../clients/clients.ts";

/** How many columns of a terminal a text takes: wide characters take two, combining ones none. */
export function widthOf(text: string): number {
  const bare = stripVTControlCharacters(text);
  // Nearly everything is plain ASCII, for which no character needs to be looked at.
  if (/^[\u{20}-\u{7e}]*$/u.test(bare)) return bare.length;
  let width = 0;
  for (const character of bare) width += widthOfCharacter(character);
  return width;
}

/** Patterns with Unicode properties take a millisecond to build, so they stand where only a text that needs them builds them. */
function widthOfCharacter(character: string): number {
  if (/^[\p{Mn}\p{Me}\p{Cf}]$/u.test(character)) return 0;
  // East Asian wide and full-width letters, and emoji.
  const isWide =
    /^[\u{1100}-\u{115f}\u{2e80}-\u{303e}\u{3041}-\u{33ff}\u{3400}-\u{4dbf}\u{4e00}-\u{9fff}\u{a000}-\u{a4cf}\u{ac00}-\u{d7a3}\u{f900}-\u{faff}\u{fe30}-\u{fe6f}\u{ff00}-\u{ff60}\u{ffe0}-\u{ffe6}\u{1f300}-\u{1f64f}\u{1f680}-\u{1f6ff}\u{1f900}-\u{1f9ff}\u{20000}-\u{3fffd}]$/u.test(
      character,
    );
  return isWide ? 2 : 1;
}

export function padEnd(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - widthOf(text)));
}

/** Cuts a text (without colours) so that it takes at most `width` columns; a cut shows as an ellipsis. */
export function fit(text: string, width: number | undefined): string {
  if (width === undefined || widthOf(text) <= width) return text;
  let result = "";
  let used = 0;
  for (const character of text) {
    used += widthOfCharacter(character);
    if (used > width - 1) break;
    result += character;
  }
  return `${result.trimEnd()}…`;
}

/** As much of the end of a text as fits: what is typed runs out of a line on its left side. */
export function lastPart(text: string, width: number): string {
  const characters = Array.from(text);
  while (widthOf(characters.join("")) > width) characters.shift();
  return characters.join("");
}

/**
 * Breaks a text at spaces into lines of at most `width` columns; later ones are indented. A command to copy stays
 * whole, however long it is: a line break inside it would end it too early when it is pasted.
 */
export function wrap(text: string, width: number, indent = ""): string {
  const lines: string[] = [];
  let line = "";
  for (const word of wordsOf(text)) {
    const room = lines.length === 0 ? width : width - indent.length;
    if (line !== "" && widthOf(line) + 1 + widthOf(word) > room) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  lines.push(line);
  return lines.join(`\n${indent}`);
}

/** A command at the beginning or after a colon, to the end of its clause, with the codes of its colours. */
const COMMAND = new RegExp(
  String.raw`((?<=^ *|:(?:\u{1b}\[\d+m)* )(?:\u{1b}\[\d+m)*(?:checkpoint|npm|git|cd|${CLIENT_NAMES.join("|")}) .*?(?:[,;.)]+(?= |$)|(?= \()|$))`,
  "mu",
);

function wordsOf(text: string): string[] {
  return text.split(COMMAND).flatMap((part, index, parts) => {
    if (index % 2 === 1) return [part];
    // The blank before and after a command stands between two words.
    const prose = part.slice(index > 0 && part.startsWith(" ") ? 1 : 0);
    if (index === parts.length - 1) return prose === "" && index > 0 ? [] : prose.split(" ");
    return prose === "" ? [] : prose.replace(/ $/, "").split(" ");
  });
}

/** Breaks lines that are too long at spaces, so that no terminal breaks them inside a word. */
export function wrapLines(text: string, columns: number): string {
  return text
    .split("\n")
    .map((line) => {
      if (widthOf(line) <= columns) return line;
      const indent = /^ */.exec(line)?.[0] ?? "";
      return indent + wrap(line.trimStart(), columns - indent.length, `${indent}  `);
    })
    .join("\n");
}

/**
 * Rows as columns that stand under each other; empty without a row. The last column is cut to what the terminal leaves
 * for it; where `isKeptWhole` says so, it goes to a line of its own instead.
 */
export function table(
  rows: readonly (readonly string[])[],
  columns: number | undefined,
  isKeptWhole: (row: number) => boolean = () => false,
): string {
  const count = Math.max(1, ...rows.map((row) => row.length));
  const widths = Array.from({ length: count - 1 }, (_, index) =>
    Math.max(...rows.map((row) => widthOf(row[index] ?? ""))),
  );
  const room = columns && columns - widths.reduce((sum, width) => sum + width + 2, 0);
  return rows
    .map((row, number) => {
      const last = row[widths.length] ?? "";
      const isBelow = room !== undefined && widthOf(last) > room && isKeptWhole(number);
      const cells = row
        .slice(0, widths.length)
        .map((cell, index) => padEnd(cell, widths[index]!))
        .concat(isBelow ? "" : fit(last, room && Math.max(room, 12)));
      return `${cells.join("  ").trimEnd()}${isBelow ? `\n    ${last}` : ""}`;
    })
    .join("\n");
}

/** In the order of the spinner, which turns. */
const ASCII: Readonly<Record<string, string>> = {
  "│├▏": "|",
  "─░": "-",
  "█": "#",
  "╯": "'",
  "→": "->",
  "…": "~",
  "⠋⠼⠇": "|",
  "⠙⠴⠏": "/",
  "⠹⠦": "-",
  "⠸⠧": "\\",
};

/** The signs that we draw with, for a terminal that shows nothing but ASCII. As wide as before, but for arrows. */
export function inAscii(text: string): string {
  return Object.entries(ASCII).reduce(
    (plain, [signs, instead]) => plain.replaceAll(new RegExp(`[${signs}]`, "g"), instead),
    text,
  );
}
