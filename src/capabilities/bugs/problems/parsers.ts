import type { Fingerprint } from "./problem.ts";

/** How one tool prints a problem. Groups: `file`, `name` (a test or a rule), `message`. */
export interface LineParser {
  readonly tool: string;
  readonly pattern: RegExp;
  /** What the command must hold: others print such lines too. */
  readonly of?: RegExp;
  /** It names the file that the lines after it are about. */
  readonly isHeading?: true;
  /** It tells more about the problem before it. */
  readonly isDetail?: true;
}

const CARGO = /\bcargo\b|\brustc\b|clippy/;

/** The first parser that knows a line speaks for it. */
export const PARSERS: readonly LineParser[] = [
  // vitest marks a project before the file; jest prints the file as a heading and the test after a dot.
  {
    tool: "vitest",
    pattern:
      /^\s*(?:FAIL|×|✗|❯)\s+(?:\|[\w -]+\|\s+)?(?<file>\S+\.(?:test|spec)\.\w+)\s+>\s+(?<name>.+?)(?:\s+\d+\s?ms)?$/,
  },
  { tool: "jest", pattern: /^\s*●\s+(?<name>(?!Console\b).+)$/ },
  { tool: "jest", pattern: /^\s*FAIL\s+(?<file>\S+\.\w+)(?:\s+\([\d.]+ m?s\))?$/, isHeading: true },
  { tool: "node:test", pattern: /^\s*not ok \d+ - (?<name>.+?)(?: # .*)?$/ },
  { tool: "node:test", pattern: /^\s*✖ (?!failing tests:)(?<name>.+?) \(\d[\d.]*ms\)$/ },
  { tool: "pytest", pattern: /^(?:FAILED|ERROR) (?<file>[^\s:]+\.py)(?:::(?<name>\S+))?(?: - .*)?$/ },
  { tool: "pytest", pattern: /^E\s{2,}/, isDetail: true },
  { tool: "go", pattern: /^\s*--- FAIL: (?<name>\S+)(?: \([\d.]+s\))?$/ },
  {
    tool: "go",
    pattern: /^FAIL\s+(?<file>\S+)\s+(?:\[(?<name>build failed|setup failed)\]|[\d.]+s|\(cached\))$/,
    isHeading: true,
  },
  { tool: "go", pattern: /^\s{2,}\S+_test\.go:\d+: /, isDetail: true },
  {
    tool: "go",
    pattern:
      /^(?:vet: )?(?:\.\/)?(?<file>[^\s:]+\.go):\d+(?::\d+)?: (?<message>(?!: #).+?)(?: \((?<name>[a-z]+)\))?$/,
  },
  {
    tool: "cargo",
    of: CARGO,
    pattern: /^error(?:\[(?<name>E\d+)\])?: (?<message>(?!could not compile|aborting|test failed).+)$/,
  },
  { tool: "cargo", pattern: /^thread '(?<name>[^']+)' (?:\(\d+\) )?panicked at / },
  { tool: "cargo", pattern: /^test (?<name>\S+) \.\.\. FAILED$/ },
  { tool: "cargo", pattern: /^---- (?<name>\S+) stdout ----$/ },
  { tool: "cargo", pattern: /^\s*--> (?<file>[^\s:]+\.rs):\d+:\d+$/, isDetail: true },
  {
    tool: "tsc",
    pattern:
      /^(?<file>[^\s(:]+\.[cm]?[jt]sx?)(?:\(\d+,\d+\)|:\d+:\d+)\s*(?::|-)\s+error (?<name>TS\d+): (?<message>.+)$/,
  },
  { tool: "eslint", pattern: /^\s*\d+:\d+\s+(?:error|warning)\s+(?<message>.+?)\s{2,}(?<name>[@\w/-]+)$/ },
  {
    tool: "eslint",
    pattern: /^(?<file>(?:\/|\.{0,2}\/?)?[\w@./-]+\.(?:[cm]?[jt]sx?|vue|svelte))$/,
    isHeading: true,
  },
];

/** Where not even the check could start: the folder or the program was wrong. */
const NOT_STARTED =
  /:cd:\d+:|\bcd: |directory not found|command not found|No such file or directory$|no task \S+ found|unknown (?:task|script)|Missing script/;
/** What tells nothing by itself. */
export const EMPTY = /^(?:PASS\b|ok\s|[-=]{3,}|Exit code \d+|FAIL$|(?:\[\S+\] )?ERROR task failed)/;

/** The same of an output that no tool's parser knows. A command that checks nothing shows nothing about the project. */
export function unparsed(program: string, lines: readonly string[], isCheck: boolean): Fingerprint {
  const line = lines.find((each) => !EMPTY.test(each.trim())) ?? "";
  const kind = isCheck && !NOT_STARTED.test(line) ? "project" : "slip";
  return { tool: null, kind, name: program, message: line.trim() };
}
