import type { AST } from "toml-eslint-parser";
import { malformed } from "./planned-change.ts";

/** A parsed TOML file with the ranges of its parts, so that parts can be cut out of the text. */
export interface TomlDocument {
  readonly path: string;
  readonly text: string;
  readonly value: Readonly<Record<string, unknown>>;
  readonly tables: readonly TomlPart[];
  /** Settings with their whole names: `b = 1` in the table `[a]` is `a.b`. */
  readonly settings: readonly TomlPart[];
}

interface TextRange {
  readonly start: number;
  readonly end: number;
}

export interface TomlPart extends TextRange {
  readonly key: readonly (string | number)[];
}

/** Reads TOML. A text that is not TOML is refused with its line. */
export async function readToml(path: string, text: string): Promise<TomlDocument> {
  const { getStaticTOMLValue, parseTOML } = await import("toml-eslint-parser");
  let program: AST.TOMLProgram;
  let value: TomlDocument["value"];
  try {
    // A space in place of a byte order mark, which the parser does not know, keeps every position.
    program = parseTOML(text.replace(/^\u{FEFF}/u, " "), { tomlVersion: "1.1" });
    value = getStaticTOMLValue(program);
  } catch (error) {
    if (error instanceof RangeError) throw malformed(path, text, 0, "This is nested too deeply.");
    const { index, message } = error as { index?: number; message: string };
    if (index === undefined) throw error;
    throw malformed(path, text, index, `${message}.`);
  }
  const [{ body }] = program.body;
  const tables = body.filter((node) => node.type === "TOMLTable");
  const settingsOf = (table: readonly (string | number)[], nodes: readonly AST.TOMLNode[]): TomlPart[] =>
    nodes
      .filter((node) => node.type === "TOMLKeyValue")
      .map((node) => ({ ...rangeOf(node), key: [...table, ...getStaticTOMLValue(node.key)] }));
  return {
    path,
    text,
    value,
    tables: tables.map((table) => ({ ...rangeOf(table), key: table.resolvedKey })),
    settings: [
      ...settingsOf([], body),
      ...tables.flatMap((table) => settingsOf(table.resolvedKey, table.body)),
    ],
  };
}

function rangeOf({ range: [start, end] }: AST.HasLocs): TextRange {
  return { start, end };
}

/**
 * Cuts tables out, each with the empty line before it, or after it at the top of the file. What `addTable` added is
 * then gone without a trace.
 */
export function cutTables(text: string, tables: readonly TextRange[]): string {
  // From the end, so that the positions before a cut stay valid.
  return tables
    .toSorted((a, b) => b.start - a.start)
    .reduce((rest, table) => {
      const { start, end } = linesOf(rest, table);
      let before = rest.slice(0, start);
      let after = rest.slice(end);
      if (before === "") after = after.replace(/^\r?\n/, "");
      else if (/\n\r?\n$/.test(before)) before = before.replace(/\r?\n$/, "");
      // The file did not end with a line end before the table was added either.
      if (end === rest.length && !rest.endsWith("\n")) before = before.replace(/\r?\n$/, "");
      return before + after;
    }, text);
}

/**
 * Adds a table after the last setting, as Codex does. Comments at the end of the file stay after it: Codex takes those
 * before a table for a part of it, and drops them when it writes the table again.
 */
export function addTable({ text, tables, settings }: TomlDocument, table: string): string {
  const last = [...tables, ...settings].reduce((end, part) => Math.max(end, part.end), 0);
  const end = last === 0 ? text.length : linesOf(text, { start: last, end: last }).end;
  return appendLines(text.slice(0, end), table) + text.slice(end);
}

/** After an empty line. A text without a final newline stays without one. */
function appendLines(text: string, table: string): string {
  const newline = text.includes("\r\n") ? "\r\n" : "\n";
  const lines = table.replaceAll("\n", newline);
  if (text === "") return lines + newline;
  return text.endsWith("\n") ? text + newline + lines + newline : text + newline + newline + lines;
}

function linesOf(text: string, { start, end }: TextRange): TextRange {
  const newline = text.indexOf("\n", end);
  return { start: text.lastIndexOf("\n", start - 1) + 1, end: newline < 0 ? text.length : newline + 1 };
}
