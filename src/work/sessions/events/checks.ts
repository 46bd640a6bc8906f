/** Programs that always check the work. */
const CHECKERS: ReadonlySet<string> = new Set(
  `vitest jest mocha ava tsc eslint oxlint biome knip publint pytest unittest tox nox ruff mypy pyright flake8 pylint
  golangci-lint ctest shellcheck rspec rubocop phpunit phpstan`.split(/\s+/),
);

/** Programs that check the work if one of the words below follows. */
export const RUNNERS: ReadonlySet<string> = new Set(
  "npm pnpm yarn bun make just mise task cargo go deno dotnet swift mix rake bazel mvn mvnw gradle gradlew playwright".split(
    " ",
  ),
);
export const CHECKING =
  /^(?:t|tests?|lint|check|typecheck|type-check|build|verify|vet|clippy|nextest|credo)(?:[:.-].*)?$/;
/** How many words after the program are searched: `npm --silent run test`. */
const WORDS_LOOKED_AT = 4;

/** Prefixes that only start another program. */
export const WRAPPERS =
  /^(?:npx|bunx|uvx|(?:pnpm|bundle) (?:exec|dlx)|(?:uv|poetry) run|python3? -m)(?: (?:--yes|-y))? /;

/** A test, a linter or a build, and whether it passed. */
interface CheckResult {
  readonly check: string;
  readonly ok: boolean;
}

/** A command that ended; `ok` is null if only its output is known. */
interface FinishedCommand {
  readonly command: string;
  readonly ok: boolean | null;
  readonly output: string;
}

/** What was checked and whether it passed; undefined if the command checks nothing, or its result is unknown. */
export function checkResult({ command, ok, output }: FinishedCommand): CheckResult | undefined {
  const found = findCheck(command);
  if (found === undefined) return undefined;
  const passed = resultOf(found, ok, output);
  return passed === undefined ? undefined : { check: found.check, ok: passed };
}

function resultOf(found: CheckInCommand, ok: boolean | null, output: string): boolean | undefined {
  const { isLast, isOnlyFollowed } = found;
  if (isLast && ok !== null) return ok;
  // What follows runs only if the check passed.
  if (ok === true && isOnlyFollowed) return true;
  // Before a pipe or another command, the exit status is not the check's own: that one may be what failed.
  if (ok === false) return PASSED.test(output) && !COUNTED.test(output) ? undefined : false;
  return judge(output);
}

/** Longer commands are scripts, not checks; and patterns must not run on megabytes. */
const LONGEST = 2000;
/** Not the `&` of a redirection. */
const OPERATOR = /(&&|\|\||[;\n|]|(?<![>&])&(?![>&\d]))/;

interface CheckInCommand {
  /** Several that run one after the other, as long as they pass, are told together: any of them may have failed. */
  readonly check: string;
  readonly isLast: boolean;
  /** Whether all that comes after it runs only if it passed. */
  readonly isOnlyFollowed: boolean;
}

/** The last part of a command line that checks, without what surrounds it; with those that had to pass before it. */
function findCheck(command: string): CheckInCommand | undefined {
  if (command.length > LONGEST) return undefined;
  const pieces = command.split(OPERATOR);
  const parts = pieces.filter((_, index) => index % 2 === 0);
  const operators = pieces.filter((_, index) => index % 2 === 1);
  const last = parts.findLastIndex(isCheck);
  if (last < 0) return undefined;
  const first = operators.slice(0, last).findLastIndex((operator) => operator !== "&&") + 1;
  const ran = parts.slice(first, last + 1).filter(isCheck);
  const checks = ran.map(withoutSurroundings);
  const isOnlyFollowed = operators.slice(last).every((operator) => operator === "&&");
  return { check: [...new Set(checks)].join(" && "), isLast: last === parts.length - 1, isOnlyFollowed };
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
    .replace(/^\(\s*/, "")
    .replace(/^([^(]*?)\s*\)$/, "$1")
    .replace(/^(?:(?:env|time|nice(?:\s+-n\s*\d+)?|timeout\s+\S+|sudo|command)\s+|[A-Za-z_]\w*=\S*\s+)+/, "")
    .replaceAll(/\s+/g, " ")
    .replaceAll(/ ?\d?>{1,2} ?(?:&\d|\S+)/g, "")
    .trim();
}

const FAILED =
  /^[ \t]{0,8}(?:(?:--- )?FAIL|FAILED|ERROR|FAILURES|✗|✖|×)\b|\b[1-9]\d*\s+(?:tests?\s+)?(?:failed|failing|failures?|errors?)\b|npm (?:ERR!|error)|error TS\d+|error\[E\d+\]|^not ok \d|Traceback \(most recent|BUILD FAILED|Failed to compile|^(?:ℹ|#) fail [1-9]|^make(?:\[\d+\])?: \*\*\*|^\S{1,200}\.go:\d+:\d+: /im;
const PASSED =
  /\b[1-9]\d*\s+(?:tests?\s+)?(?:passed|passing)\b|\b0 (?:failed|failures|errors|problems|issues|warnings)\b|^ok\s|^OK \(|\ball (?:tests|checks) pass|test result: ok|BUILD SUCCESS|Found 0 (?:errors|warnings)|no issues found|^(?:ℹ|#) fail 0\b/im;
/** What only a check says that failed, and no other program. */
const COUNTED =
  /^[ \t]{0,8}(?:--- )?FAIL\b|^not ok \d|\b[1-9]\d*\s+(?:tests?\s+)?(?:failed|failing|failures?|errors?)\b|^(?:ℹ|#) fail [1-9]/im;
/** A test that passed: its name may be about errors. */
const PASSING_LINE = /^[ \t]{0,8}(?:✓|✔|√|ok \d|PASS\b).*$/gm;

/** The result according to the output. */
function judge(output: string): boolean | undefined {
  if (FAILED.test(output.replaceAll(PASSING_LINE, ""))) return false;
  return PASSED.test(output) ? true : undefined;
}
