import { CheckpointError } from "../../errors.ts";
import { formatPath, type Path } from "../../objects/json.ts";

/** Something wrong in a definition, where it is, and what to do about it. */
export interface Problem {
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  /** Where in the document: `steps[2].retry.max`. */
  readonly path: string;
  readonly message: string;
  readonly remedy: string;
}

/** Finds the place of a value in a text; undefined for definitions that are no text. */
export type Locate = (path: Path) => { readonly line: number; readonly column: number } | undefined;

/** Collects everything that is wrong, so that one look at the output is enough to repair all of it. */
export class Problems {
  readonly all: Problem[] = [];
  readonly #file: string | undefined;
  readonly #locate: Locate;

  constructor(file?: string, locate: Locate = () => undefined) {
    this.#file = file;
    this.#locate = locate;
  }

  /** Returns undefined, so that whoever cannot go on can return it. */
  add(path: Path, message: string, remedy: string): undefined {
    const place = this.#locate(path);
    this.all.push({
      ...(this.#file === undefined ? {} : { file: this.#file }),
      ...place,
      path: formatPath(path),
      message,
      remedy,
    });
  }

  /** Throws `usage` when there is anything. The first problem is the message; all are in the details. */
  throwIfAny(): void {
    const [first, ...others] = this.all;
    if (first === undefined) return;
    const more = others.map((problem) => `\n${formatProblem(problem)}`).join("");
    throw new CheckpointError("usage", `${formatProblem(first)}${more}`, {
      hint: first.remedy,
      details: { problems: this.all },
    });
  }
}

/** `build.yaml:12:5: Step "x" needs "y", which is not there.` */
function formatProblem({ file, line, column, path, message }: Problem): string {
  const where = [file, line, column].filter((part) => part !== undefined).join(":");
  return line === undefined && path !== "(root)"
    ? `${where && `${where}: `}${path}: ${message}`
    : `${where && `${where}: `}${message}`;
}

/** The known word that was probably meant: one edit away, or the same beginning. */
export function closest(word: string, known: readonly string[]): string | undefined {
  const scored = known.map((name) => ({
    name,
    distance: editDistance(word.toLowerCase(), name.toLowerCase()),
  }));
  const best = scored.toSorted((a, b) => a.distance - b.distance)[0];
  return best && best.distance <= Math.ceil(word.length / 3) ? best.name : undefined;
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const swap = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(swap, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[b.length]!;
}
