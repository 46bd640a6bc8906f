const DECLARATION =
  /^\s*(?:export\s+(?:default\s+)?|pub(?:\([\w ]+\))?\s+|public\s+|private\s+|protected\s+|static\s+|abstract\s+|async\s+|final\s+)*(?<kind>func(?:tion)?\*?|class|def|type|interface|struct|enum|trait|fn|impl|module|namespace|record|const)\s+(?:\([^)]{0,80}\)\s*)?(?<name>[A-Za-z_$][\w$]{2,60})/;
const HEADING = /^#{1,6}\s+(?<name>.{3,80})$/;

/** The functions, types and constants that these lines declare; in prose, its headings. Constants inside a function do not count. */
export function declaredIn(path: string, text: string): Set<string> {
  const pattern = isProse(path) ? HEADING : DECLARATION;
  const lines = text.split("\n").filter((line) => !/^\s+const\b/.test(line));
  return new Set(lines.flatMap((line) => pattern.exec(line)?.groups?.["name"]?.trim() ?? []));
}

const isProse = (path: string) => /\.(?:md|mdx|rst|txt|adoc)$/i.test(path);

/** Of prose, its headings first, because a long text is cut in the middle; without its code, whose comments look like headings. */
export function tellingLines(path: string, all: readonly string[]): string[] {
  const lines = all.filter((line) => line.trim() !== "");
  if (!isProse(path)) return lines;
  let isCode = false;
  const prose = lines.filter((line) => (/^\s*```/.test(line) ? void (isCode = !isCode) : !isCode));
  return prose.toSorted((a, b) => Number(HEADING.test(b)) - Number(HEADING.test(a)));
}

const MOST_BEFORE = 16_000;

/** The function or type around a place in a file: the nearest declaration above it that is indented less. */
export function declarationAround(file: string, place: number): string | undefined {
  let start = file.lastIndexOf("\n", place - 1) + 1;
  const indent = indentOf(file.slice(start, start + 200));
  if (indent === 0) return undefined;
  const first = Math.max(0, start - MOST_BEFORE);
  while (start > first) {
    const end = start - 1;
    start = Math.max(first, file.lastIndexOf("\n", end - 1) + 1);
    const line = file.slice(start, end);
    if (indentOf(line) < indent && isScope(line)) return DECLARATION.exec(line)?.groups?.["name"];
  }
  return undefined;
}

/** A constant has something inside only if it is a function. */
function isScope(line: string): boolean {
  const kind = DECLARATION.exec(line)?.groups?.["kind"];
  return kind !== undefined && (kind !== "const" || /=>|\bfunction\b/.test(line));
}

const indentOf = (line: string) => line.search(/[^ \t]|$/);
