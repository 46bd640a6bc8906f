import type { CheckResult } from "./session-event.ts";

/** Programs that always check the work. */
const CHECKERS: ReadonlySet<string> = new Set(
  `vitest jest mocha ava tsc eslint oxlint biome knip publint pytest unittest tox nox ruff mypy pyright flake8 pylint
  golangci-lint ctest shellcheck rspec rubocop phpunit phpstan`.split(/\s+/),
);

/** Programs that check the work if one of the words below follows. */
const RUNNERS: ReadonlySet<string> = new Set(
  "npm pnpm yarn bun make just mise task cargo go deno dotnet swift mix rake bazel mvn mvnw gradle gradlew playwright".split(
    " ",
  ),
);
const CHECKING =
  /^(?:t|tests?|lint|check|typecheck|type-check|build|verify|vet|clippy|nextest|credo)(?:[:.-].*)?$/;
/** How many words after the program are searched: `npm --silent run test`. */
const WORDS_LOOKED_AT = 4;

/** Prefixes that only start another program. */
const WRAPPERS =
  /^(?:npx|bunx|uvx|(?:pnpm|bundle) (?:exec|dlx)|(?:uv|poetry) run|python3? -m)(?: (?:--yes|-y))? /;

/** A command that ended; `ok` is null if only its output is known. */
export interface FinishedCommand {
  readonly command: string;
  readonly ok: boolean | null;
  readonly output: string;
}

/** What was checked and whether it passed; undefined if the command checks nothing, or its result is unknown. */
export function checkResult({ command, ok, output }: FinishedCommand): CheckResult | undefined {
  const found = findCheck(command);
  if (found === undefined) return undefined;
  // Before a pipe or another command, the exit status is not the check's own.
  const status = found.isLast || ok === false ? ok : null;
  const passed = status ?? judge(output);
  return passed === undefined ? undefined : { check: found.check, ok: passed };
}

/** Longer commands are scripts, not checks; and patterns must not run on megabytes. */
const LONGEST = 2000;

/** The last part of a command line that checks, without what surrounds it. */
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
  return RUNNERS.has(program) && words.slice(0, WORDS_LOOKED_AT).some((word) => CHECKING.test(word));
}

/** A command without leading variables and wrappers, and without redirections. */
function withoutSurroundings(part: string): string {
  return part
    .trim()
    .replace(/^(?:(?:env|time|nice(?:\s+-n\s*\d+)?|timeout\s+\S+|sudo|command)\s+|[A-Za-z_]\w*=\S*\s+)+/, "")
    .replaceAll(/\s+/g, " ")
    .replaceAll(/ ?\d?>{1,2} ?(?:&\d|\S+)/g, "")
    .trim();
}

const FAILED =
  /^[ \t]{0,8}(?:(?:--- )?FAIL|FAILED|ERROR|✗|✖|×)\b|\b[1-9]\d*\s+(?:tests?\s+)?(?:failed|failing|failures?|errors?)\b|npm (?:ERR!|error)|error TS\d+|error\[E\d+\]|^not ok \d|Traceback \(most recent|BUILD FAILED|Failed to compile/im;
const PASSED =
  /\b[1-9]\d*\s+(?:tests?\s+)?(?:passed|passing)\b|\b0 (?:failed|failures|errors|problems)\b|^ok\s|\ball (?:tests|checks) pass|test result: ok|BUILD SUCCESS|Found 0 (?:errors|warnings)|no issues found/im;

/** The result according to the output. */
function judge(output: string): boolean | undefined {
  if (FAILED.test(output)) return false;
  return PASSED.test(output) ? true : undefined;
}

/**
 * Whether a check that passed shows that another one, which failed, would pass now: the same tool, at least as wide.
 * `npm test` covers `npm test login`, and `go test ./...` covers `go test ./cmd -run Login`.
 */
export function covers(passed: string, failed: string): boolean {
  if (passed === failed) return true;
  const [wide, narrow] = [partsOf(passed), partsOf(failed)];
  if (wide.tool !== narrow.tool) return false;
  return wide.targets.every((target) => narrow.targets.some((each) => isBelow(each, target)));
}

/** The program with what it is told to do, and what it looks at. Options say how, not what. */
function partsOf(check: string): { readonly tool: string; readonly targets: readonly string[] } {
  const [program = "", ...words] = check.replace(WRAPPERS, "").split(" ");
  const at = RUNNERS.has(program) ? words.findIndex((word) => CHECKING.test(word)) : -1;
  const tool = [program, ...words.slice(0, at + 1)].join(" ");
  const targets = words
    .slice(at + 1)
    .filter((word) => !word.startsWith("-") && !/^(?:\.|\.\/|\.\/\.\.\.)$/.test(word));
  return { tool, targets };
}

function isBelow(target: string, folder: string): boolean {
  return target === folder || target.startsWith(folder.replace(/\.\.\.$/, "").replace(/\/?$/, "/"));
}
