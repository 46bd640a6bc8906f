const DECLARATION =
  /^\s*(?:export\s+(?:default\s+)?|pub(?:\([\w ]+\))?\s+|public\s+|private\s+|protected\s+|static\s+|abstract\s+|async\s+|final\s+)*(?<kind>func(?:tion)?\*?|class|def|type|interface|struct|enum|trait|fn|impl|module|namespace|record|const)\s+(?:\([^)]{0,80}\)\s*)?(?<name>[A-Za-z_$][\w$]{2,60})/;
const HEADING = /^#{1,6}\s+(?<name>.{3,80})$/;

/** The functions, types and constants that these lines declare; in prose, its headings. Constants inside a function are its own business. */
export function declaredIn(path: string, text: string): Set<string> {
  const pattern = /\.(?:md|mdx|rst|txt|adoc)$/i.test(path) ? HEADING : DECLARATION;
  const lines = text.split("\n").filter((line) => !/^\s+const\b/.test(line));
  return new Set(lines.flatMap((line) => pattern.exec(line)?.groups?.["name"]?.trim() ?? []));
}

/** How far back the beginning of a function is looked for. */
const MOST_BEFORE = 16_000;

/** The function or type around a place in a file: the nearest declaration above it that is indented less. */
export function declarationAround(file: string, place: number): string | undefined {
  const start = file.lastIndexOf("\n", place - 1) + 1;
  const indent = indentOf(file.slice(start, start + 200));
  const above = file.slice(Math.max(0, start - MOST_BEFORE), start).split("\n");
  const line = above.findLast((each) => isScope(each) && indentOf(each) < indent);
  return line === undefined ? undefined : DECLARATION.exec(line)?.groups?.["name"];
}

/** A constant has something inside only if it is a function. */
function isScope(line: string): boolean {
  const kind = DECLARATION.exec(line)?.groups?.["kind"];
  return kind !== undefined && (kind !== "const" || /=>|\bfunction\b/.test(line));
}

const indentOf = (line: string) => /^[ \t]*/.exec(line)![0].length;
