import type { CheckResult } from "./facts.ts";

/** Programs that judge the work, whatever they are told. */
const CHECKERS: ReadonlySet<string> = new Set(
  `vitest jest mocha ava tsc eslint oxlint biome knip publint pytest unittest tox nox ruff mypy pyright flake8 pylint
  golangci-lint ctest shellcheck rspec rubocop phpunit phpstan`.split(/\s+/),
);

/** Programs that judge when they are told to. */
const RUNNERS: ReadonlySet<string> = new Set(
  "npm pnpm yarn bun make just task cargo go deno dotnet swift mix rake bazel mvn mvnw gradle gradlew playwright".split(
    " ",
  ),
);
const JUDGING =
  /^(?:t|tests?|lint|check|typecheck|type-check|build|verify|vet|clippy|nextest|credo)(?:[:.-].*)?$/;
/** How far behind the program the word may stand: `npm --silent run test`. */
const WORDS_LOOKED_AT = 4;

/** What stands before a program only to start it. */
const WRAPPERS =
  /^(?:npx|bunx|uvx|(?:pnpm|bundle) (?:exec|dlx)|(?:uv|poetry) run|python3? -m)(?: (?:--yes|-y))? /;

/** A command that ended, or of which only the output is known. */
export interface Ran {
  readonly command: string;
  readonly ok: boolean | null;
  readonly output: string;
}

/** What was checked and how it went; undefined when the command checks nothing, or its result is not known. */
export function checkResult({ command, ok, output }: Ran): CheckResult | undefined {
  const found = findCheck(command);
  if (found === undefined) return undefined;
  // Behind a pipe, or before another command, the exit status is that of something else.
  const told = found.isLast || ok === false ? ok : null;
  const passed = told ?? judge(output);
  return passed === undefined ? undefined : { check: found.check, ok: passed };
}

/** Longer commands are scripts, not checks; and no pattern is tried on megabytes. */
const LONGEST = 2000;

/** The part of a command line that checks, without what stands around it. */
function findCheck(command: string): { check: string; isLast: boolean } | undefined {
  if (command.length > LONGEST) return undefined;
  const parts = command.split(/&&|\|\||[;\n|]/);
  const index = parts.findLastIndex((part) => isCheck(part));
  if (index < 0) return undefined;
  const check = withoutSurroundings(parts[index] ?? "");
  return { check, isLast: index === parts.length - 1 };
}

function isCheck(part: string): boolean {
  const [path = "", ...words] = withoutSurroundings(part).replace(WRAPPERS, "").split(" ");
  const program = path.slice(path.lastIndexOf("/") + 1);
  if (CHECKERS.has(program)) return true;
  if (program === "node") return words.includes("--test");
  if (program === "prettier") return words.includes("--check");
  return RUNNERS.has(program) && words.slice(0, WORDS_LOOKED_AT).some((word) => JUDGING.test(word));
}

/** Without variables before it, and without where its output goes. */
function withoutSurroundings(part: string): string {
  return part
    .trim()
    .replace(/^(?:(?:env|time|nice(?:\s+-n\s*\d+)?|timeout\s+\S+|sudo|command)\s+|[A-Za-z_]\w*=\S*\s+)+/, "")
    .replaceAll(/\s*\d?>{1,2}\s*(?:&\d|\S+)/g, "")
    .replaceAll(/\s+/g, " ")
    .trim();
}

const FAILED =
  /^[ \t]{0,8}(?:FAIL|FAILED|ERROR|✗|✖|×)\b|\b[1-9]\d*\s+(?:tests?\s+)?(?:failed|failing|failures?|errors?)\b|npm (?:ERR!|error)|error TS\d+|error\[E\d+\]|^not ok \d|Traceback \(most recent|BUILD FAILED|Failed to compile/im;
const PASSED =
  /\b[1-9]\d*\s+(?:tests?\s+)?(?:passed|passing)\b|\b0 (?:failed|failures|errors|problems)\b|^ok\s|\ball (?:tests|checks) pass|test result: ok|BUILD SUCCESS|Found 0 (?:errors|warnings)|no issues found/im;

/** What the output itself says of the result, where nobody else does. */
function judge(output: string): boolean | undefined {
  if (FAILED.test(output)) return false;
  return PASSED.test(output) ? true : undefined;
}
