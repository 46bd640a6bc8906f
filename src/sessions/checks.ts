import type { Call } from "./facts.ts";

/** Commands that judge the work: tests, linters, type checkers, builds. */
const CHECK = new RegExp(
  [
    String.raw`(?:npm|pnpm|yarn|bun)\s+(?:run\s+|exec\s+)?(?:-\S+\s+)*(?:t|test|lint|check|typecheck|type-check|build|verify|ci)\b(?::\S+)?`,
    String.raw`(?:npx\s+|bunx\s+|pnpm\s+(?:exec\s+|dlx\s+)?)?(?:vitest|jest|mocha|ava|playwright\s+test|cypress\s+run|tsc|eslint|oxlint|biome|prettier\s+--check|knip|publint)\b`,
    String.raw`node\s+(?:\S+\s+)*--test\b|deno\s+(?:test|lint|check)\b`,
    String.raw`(?:python3?\s+-m\s+|uv\s+run\s+|poetry\s+run\s+)?(?:pytest|unittest|tox|nox|ruff|mypy|pyright|flake8|pylint)\b`,
    String.raw`go\s+(?:test|vet|build)\b|golangci-lint\b|cargo\s+(?:\+\S+\s+)?(?:test|check|clippy|build|nextest)\b`,
    String.raw`(?:\./)?(?:mvnw?|gradlew?)\s+.*\b(?:test|check|verify|build)\b|dotnet\s+(?:test|build)\b|swift\s+(?:test|build)\b`,
    String.raw`(?:bundle\s+exec\s+)?(?:rspec|rubocop)\b|rake\s+test\b|(?:vendor/bin/)?(?:phpunit|phpstan)\b|mix\s+(?:test|credo)\b`,
    String.raw`(?:make|just|task)\s+(?:-\S+\s+)*(?:test|check|lint|build|ci|verify)\S*|ctest\b|bazel\s+(?:test|build)\b|shellcheck\b`,
  ]
    .map((pattern) => `(?:${pattern})`)
    .join("|"),
);

/** What was checked and how it went; undefined when the command checks nothing, or its result is not known. */
export interface CheckResult {
  readonly check: string;
  readonly passed: boolean;
}

export function checkResult({ command, ok, output = "" }: Call): CheckResult | undefined {
  const found = command === undefined ? undefined : findCheck(command);
  if (found === undefined) return undefined;
  // Behind a pipe, or before another command, the exit status is that of something else.
  const told = found.isLast || ok === false ? ok : null;
  const passed = told ?? judge(output);
  return passed === undefined ? undefined : { check: found.check, passed };
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
  const bare = withoutSurroundings(part);
  const match = CHECK.exec(bare);
  return match?.index === 0;
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
  /^\s*(?:FAIL|FAILED|ERROR|✗|✖|×)\b|\b[1-9]\d*\s+(?:tests?\s+)?(?:failed|failing|failures?|errors?)\b|npm (?:ERR!|error)|error TS\d+|error\[E\d+\]|^not ok \d|Traceback \(most recent|BUILD FAILED|Failed to compile/im;
const PASSED =
  /\b[1-9]\d*\s+(?:tests?\s+)?(?:passed|passing)\b|\b0 (?:failed|failures|errors|problems)\b|^ok\s|\ball (?:tests|checks) pass|test result: ok|BUILD SUCCESS|Found 0 (?:errors|warnings)|no issues found/im;

/** What the output itself says of the result, where nobody else does. */
function judge(output: string): boolean | undefined {
  if (FAILED.test(output)) return false;
  return PASSED.test(output) ? true : undefined;
}
