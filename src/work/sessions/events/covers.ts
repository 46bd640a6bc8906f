import { CHECKING, RUNNERS, WRAPPERS } from "./checks.ts";

/**
 * Whether a check that passed shows that another one, which failed, would pass now: the same tool, at least as wide.
 * `npm test` covers `npm test login`, and `go test ./...` covers `go test ./cmd -run Login`.
 */
export function covers(passed: string, failed: string): boolean {
  return uncovered(passed, failed) === undefined;
}

/** What of a check that failed, or of several in a row, another that passed does not cover; undefined if it covers all. */
export function uncovered(passed: string, failed: string): string | undefined {
  const [wide, narrow] = [inFolder(passed), inFolder(failed)];
  // From another folder it may be the same check; from two that are both named, it is not.
  const isElsewhere = wide.folder !== "" && narrow.folder !== "" && wide.folder !== narrow.folder;
  const left = isElsewhere
    ? narrow.checks
    : narrow.checks.filter((check) => !wide.checks.some((each) => isWider(each, check)));
  return left.length === 0 ? undefined : `${left.join(" && ")}${narrow.folder}`;
}

/** A check with the folder below the project that it was run in. */
export function checkIn(folder: string, check: string): string {
  return `${check} (in ${folder})`;
}

function inFolder(check: string): { readonly checks: readonly string[]; readonly folder: string } {
  const folder = / \(in [^()]+\)$/.exec(check)?.[0] ?? "";
  return { checks: check.slice(0, check.length - folder.length).split(" && "), folder };
}

function isWider(passed: string, failed: string): boolean {
  if (passed === failed) return true;
  const [wide, narrow] = [partsOf(passed), partsOf(failed)];
  return (
    wide.tool === narrow.tool &&
    wide.setup === narrow.setup &&
    wide.less.every((option) => narrow.less.includes(option)) &&
    wide.targets.every((target) => narrow.targets.some((each) => isBelow(each, target)))
  );
}

/** Options with which a tool checks something else: what they name must be the same. */
const SETUP = /^(?:-c|-C|--config|--prefix|--cwd|-w|--workspace)(?:=|$)/;
/** Options with which it checks less, or nothing. */
const LESS =
  /^--?(?:short|lib|bins?|doc|lf|last-failed|changed|only-?changed|only-?failures|related|staged|collect-only|list\w*|version|help|dry-run|no-run)$/i;
/** Options with a value that only say how. Of others it is not known, so they may mean less. */
const HOW =
  /^--?(?:reporters?|colou?r|(?:max-?)?workers|jobs|threads|pool|(?:test-?)?timeout|format|output\w*|log-?level|bail|retry|retries|parallel|count|cpu|tb|cov\w*|junit\w*|max-?warnings|cache\w*)=/i;

interface CheckParts {
  /** The program with what it is told to do. */
  readonly tool: string;
  readonly setup: string;
  readonly less: readonly string[];
  /** What it looks at. */
  readonly targets: readonly string[];
}

function partsOf(check: string): CheckParts {
  const [path = "", ...all] = check.replace(WRAPPERS, "").split(" ");
  const program = path.slice(path.lastIndexOf("/") + 1);
  const isValue = (before: string | undefined) =>
    before !== undefined && SETUP.test(before) && !before.includes("=");
  const setup = all.filter((word, index) => SETUP.test(word) || isValue(all[index - 1]));
  const words = all.filter((word) => !setup.includes(word));
  const at = RUNNERS.has(program) ? words.findIndex((word) => CHECKING.test(word)) : -1;
  const isTarget = (word: string) => !word.startsWith("-") && !/^(?:\.|\.\/|\.\/\.\.\.|run)$/.test(word);
  const isLess = (word: string) => LESS.test(word) || (/^-.*=/.test(word) && !HOW.test(word));
  return {
    // `npm run test` is `npm test`.
    tool: [program, ...words.slice(0, at + 1).filter((word) => isTarget(word))].join(" "),
    setup: setup.join(" "),
    less: words.filter(isLess),
    targets: words.slice(at + 1).filter(isTarget),
  };
}

function isBelow(target: string, folder: string): boolean {
  return target === folder || target.startsWith(folder.replace(/\.\.\.$/, "").replace(/\/?$/, "/"));
}
