import { CheckpointError } from "../../core/errors.ts";
import { formatPath, type Path } from "../../core/objects/json.ts";
import { cut } from "../../core/text/cut.ts";
import { suggest } from "../../core/text/suggest.ts";
import type { Faults } from "../shape/check.ts";
import { defined } from "./defined.ts";

/** Something wrong in a definition or progress file, where it is, and what to do about it. */
export interface SourceProblem {
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  /** Where in the document: `steps[2].retry.max`. */
  readonly path: string;
  readonly message: string;
  readonly remedy: string;
}

interface Position {
  readonly line: number;
  readonly column: number;
}

/** Finds the position of a value in its text; undefined for definitions that have no text. */
export type Locate = (path: Path) => Position | undefined;

/** Collects every problem, so that one look at the output is enough to fix them all. */
export class Problems implements Faults {
  readonly all: SourceProblem[] = [];
  readonly #file: string | undefined;
  readonly #locate: Locate;

  constructor(file?: string, locate: Locate = () => undefined) {
    this.#file = file;
    this.#locate = locate;
  }

  /** Returns undefined, so that a caller that has to give up can return it. */
  add(path: Path, message: string, remedy: string, position = this.#locate(path)): undefined {
    this.all.push({ ...defined({ file: this.#file }), ...position, path: formatPath(path), message, remedy });
  }

  wrong(path: Path, value: unknown, what: string, remedy: string): void {
    this.add(path, `${shown(value)} is not ${what}.`, remedy);
  }

  missing(path: Path, key: string): void {
    this.add(path, `"${key}" is missing.`, `Add it: ${key}: …`);
  }

  unknown(path: Path, key: string, known: readonly string[]): void {
    const remedy = didYouMean(key, known, `The fields are ${known.join(", ")}`);
    this.add([...path, key], `There is no field "${key}" here.`, remedy);
  }

  /** Throws `usage` if there are any, all of them in one error. */
  throwIfAny(): void {
    if (this.all.length > 0) throw refusedFor(this.all);
  }
}

/** A `usage` error that lists all problems in the order of their lines, with their remedies. */
export function refusedFor(found: readonly SourceProblem[]): CheckpointError {
  const problems = inOrder(found);
  const [remedy, ...others] = new Set(problems.map((problem) => problem.remedy));
  // One remedy for all becomes the hint; otherwise each stands below its problem.
  const isForAll = others.length === 0;
  const lines = problems.map(
    (problem) => `${formatProblem(problem)}${isForAll ? "" : `\n  ${problem.remedy}`}`,
  );
  return new CheckpointError("usage", lines.join("\n"), {
    hint: isForAll ? remedy : undefined,
    details: { problems },
  });
}

/** By file and line. The reviewers of a review repeat their step's problems, so duplicates are dropped. */
function inOrder(problems: readonly SourceProblem[]): SourceProblem[] {
  const single = new Map(problems.map((problem) => [formatProblem(problem), problem]));
  return [...Map.groupBy(single.values(), ({ file }) => file).values()].flatMap((those) =>
    those.toSorted(
      (a, b) =>
        (a.line ?? 0) - (b.line ?? 0) ||
        (a.column ?? 0) - (b.column ?? 0) ||
        a.path.localeCompare(b.path, "en", { numeric: true }),
    ),
  );
}

/** `build.yaml:12:5: Step "x" needs "y", which is not a step.` Without a column, the path says where it is. */
export function formatProblem({ file, line, column, path, message }: SourceProblem): string {
  const position = [file, line, column].filter((part) => part !== undefined).join(":");
  const place = column === undefined && path !== "(root)" ? path : "";
  return [position, place, message].filter((part) => part !== "").join(": ");
}

/** `Did you mean "build"?` if a known word is close; otherwise the remedy given. */
export function didYouMean(word: string, known: readonly string[], otherwise: string): string {
  const meant = suggest(word, known);
  return meant === undefined ? otherwise : `Did you mean "${meant}"?`;
}

function shown(value: unknown): string {
  if (value === undefined || value === null) return "An empty value";
  const words = typeof value === "function" ? "A function" : JSON.stringify(value);
  return words.length > 60 ? cut(words, 57) : words;
}
