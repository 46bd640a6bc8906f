import { posix } from "node:path";
import { folderOf, withoutFolder } from "../../../core/text/without-folder.ts";
import { EMPTY, type LineParser, PARSERS, unparsed } from "./parsers.ts";
import { type Fingerprint, type Problem, problemOf } from "./problem.ts";
import { steady } from "./steady.ts";

/** A command that failed, with the lines that matter of what it printed. */
export interface FailedResult {
  readonly command: string;
  /** The test, linter or build that it ran. */
  readonly check?: string | undefined;
  readonly lines: readonly string[];
}

/** The distinct problems that a failed command tells of, in the order in which it printed them. */
export function problemsOfResult({ command, check, lines }: FailedResult): Problem[] {
  const folder = folderOf(command) ?? "";
  const found = new Map<string, Problem>();
  let heading: { readonly tool: string; readonly file: string } | undefined;
  for (const printed of lines) {
    const line = printed.replace(TASK, "");
    const parser = PARSERS.find(({ of, pattern }) => (of?.test(command) ?? true) && pattern.test(line));
    if (parser === undefined || parser.isDetail === true) continue;
    const { file } = partsOf(parser, line);
    if (parser.isHeading === true) {
      heading = file === undefined ? undefined : { tool: parser.tool, file: within(file, folder) };
      continue;
    }
    const problem = problemOf(fingerprint(parser, line, { folder, heading }));
    found.set(problem.id, problem);
  }
  const problems = [...found.values()];
  if (problems.length > 0) return problems.filter((problem) => !isParent(problem, problems));
  // Of a long output, what it was about and one line are all that is left.
  if (heading !== undefined) {
    const message = lines.find(
      (line) => !PARSERS.some(({ pattern }) => pattern.test(line)) && !EMPTY.test(line.trim()),
    );
    return [problemOf({ ...heading, kind: "project", name: "failed", message })];
  }
  return [unknownProblem(command, check, lines)];
}

/** A test fails with each of its subtests, which say more. */
function isParent({ title, tool }: Problem, problems: readonly Problem[]): boolean {
  return problems.some((other) => other.tool === tool && other.title.startsWith(`${title}/`));
}

/** What a runner of tasks puts before each line: `[lint:go] `. */
const TASK = /^\[[\w:.-]+\] (?=\S)/;

function fingerprint(
  parser: LineParser,
  line: string,
  {
    folder,
    heading,
  }: { readonly folder: string; readonly heading: { tool: string; file: string } | undefined },
): Fingerprint {
  const { file, name, message } = partsOf(parser, line);
  const below = heading?.tool === parser.tool ? heading.file : undefined;
  return {
    tool: parser.tool,
    kind: "project",
    name,
    message,
    file: file === undefined ? below : within(file, folder),
  };
}

function partsOf({ pattern }: LineParser, line: string): Readonly<Record<string, string | undefined>> {
  return pattern.exec(line)?.groups ?? {};
}

/** A path as the project sees it: from another folder the same file has another name. Absolute ones are cut to their end. */
function within(path: string, folder: string): string {
  if (posix.isAbsolute(path)) return path.split("/").slice(-3).join("/");
  const joined = posix.isAbsolute(folder) ? path : posix.join(folder, path);
  return posix.normalize(joined);
}

/** What no parser knows is told by its program and its most telling line. */
function unknownProblem(command: string, check: string | undefined, lines: readonly string[]): Problem {
  const words = withoutFolder(check ?? command).split(/\s+/);
  // An address or a path tells two calls of one program apart.
  const target =
    check === undefined ? words.slice(2).find((word) => /^["']?[\w.-]+\/[\w./-]+/.test(word)) : undefined;
  const program = [
    ...words.slice(0, 2),
    ...(target === undefined ? [] : [steady(target.replaceAll(/["']/g, ""))]),
  ].join(" ");
  return problemOf(unparsed(program, lines, check !== undefined));
}
