import { CheckpointError } from "../../errors.ts";
import { formatPath, type Path } from "../../objects/json.ts";
import { suggest } from "../../text/suggest.ts";
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
export class Problems {
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

  /** Throws `usage` if there are any. The message lists them all; the hint is the first one's remedy. */
  throwIfAny(): void {
    const [first] = this.all;
    if (first === undefined) return;
    throw new CheckpointError("usage", this.all.map(formatProblem).join("\n"), {
      hint: first.remedy,
      details: { problems: this.all },
    });
  }
}

/** `build.yaml:12:5: Step "x" needs "y", which is not a step.` */
export function formatProblem({ file, line, column, path, message }: SourceProblem): string {
  const position = [file, line, column].filter((part) => part !== undefined).join(":");
  const place = line === undefined && path !== "(root)" ? path : "";
  return [position, place, message].filter((part) => part !== "").join(": ");
}

/** `Did you mean "build"?` if a known word is close; otherwise the remedy given. */
export function didYouMean(word: string, known: readonly string[], otherwise: string): string {
  const meant = suggest(word, known);
  return meant === undefined ? otherwise : `Did you mean "${meant}"?`;
}
