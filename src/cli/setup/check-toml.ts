/** What is wrong with a text, and where. */
export interface TomlProblem {
  readonly position: number;
  readonly message: string;
}

const BLANK = /(?:[ \t\r\n]|#[^\n]*)*/y;
const HEADER = /\[\[?[^\]\n]+\]\]?/y;
const KEY =
  /(?:[\w-]+|"(?:[^"\\\n]|\\.)*"|'[^'\n]*')(?:[ \t]*\.[ \t]*(?:[\w-]+|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'))*[ \t]*=[ \t]*/y;
const TEXT = /"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'/y;
const LINE_END = /[ \t]*(?:#[^\n]*)?(?:\r?\n|$)/y;

/**
 * Looks whether a text is TOML as far as it matters to who adds a table at its end: texts, lists and headers that end,
 * and nothing but headers and settings. Undefined when nothing is wrong.
 */
export function findTomlProblem(text: string): TomlProblem | undefined {
  const tables = new Set<string>();
  let position = end(BLANK, text, 0) ?? 0;
  while (position < text.length) {
    const after = afterLine(text, position, tables);
    if (typeof after === "string") return { position, message: after };
    position = end(BLANK, text, after) ?? after;
  }
  return undefined;
}

/** Where a header or a setting ends, with its line; or what is wrong with it. */
function afterLine(text: string, position: number, tables: Set<string>): number | string {
  const header = end(HEADER, text, position);
  if (header !== undefined) {
    const name = text.slice(position, header);
    if (!name.startsWith("[[") && tables.has(name)) return `The table ${name} is there twice.`;
    tables.add(name);
    return end(LINE_END, text, header) ?? "A table's name is followed by nothing.";
  }
  const value = end(KEY, text, position);
  if (value === undefined) return "A setting (name = value) or a table ([name]) is expected here.";
  const after = afterValue(text, value);
  if (after === undefined || after === value) return "This setting's value does not end.";
  return end(LINE_END, text, after) ?? "A setting ends with its line.";
}

function afterValue(text: string, start: number): number | undefined {
  let depth = 0;
  let position = start;
  while (position < text.length) {
    const sign = text[position] as string;
    if (/["']/.test(sign)) {
      const after = end(TEXT, text, position);
      if (after === undefined) return undefined;
      position = after;
    } else if (depth > 0 && /[\s#]/.test(sign)) position = end(BLANK, text, position) ?? position + 1;
    else if (depth === 0 && /[\r\n#]/.test(sign)) return position;
    else {
      if (/[[{]/.test(sign)) depth++;
      if (/[\]}]/.test(sign)) depth--;
      if (depth < 0) return undefined;
      position++;
    }
  }
  return depth === 0 ? position : undefined;
}

function end(pattern: RegExp, text: string, position: number): number | undefined {
  pattern.lastIndex = position;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}
