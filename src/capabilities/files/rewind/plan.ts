import { type FileAuthors, PERSON, REWOUND } from "../moments/authors.ts";
import type { FileChange } from "../moments/compare.ts";
import type { FileSide } from "../moments/sides.ts";
import { isBelow } from "../tree/tree.ts";
import { isSafePath } from "./safe-path.ts";

/** A file that stays as it is, and why. */
export interface LeftFile {
  readonly path: string;
  readonly why: string;
}

/** What a rewind would do, and what it leaves alone. */
export interface RewindPlan {
  /** Files that become as they were: `from` is how each must be before, otherwise it is left alone. */
  readonly steps: readonly FileChange[];
  /** Changed by others too: neither as it was left nor as it would be. */
  readonly conflicts: readonly LeftFile[];
  /** Changed by others only. */
  readonly others: readonly LeftFile[];
  /** They differ because the commits do. */
  readonly committed: readonly LeftFile[];
  /** Their content is not stored, now or then. */
  readonly not_covered: readonly LeftFile[];
}

/** What is to be brought back. */
export interface RewindWishes {
  /** The session whose changes are taken back; undefined: everybody's. */
  readonly session?: string | undefined;
  /** Only these files, and what is below these folders. */
  readonly paths?: readonly string[] | undefined;
  readonly force?: boolean | undefined;
  readonly acrossCommits?: boolean | undefined;
}

/** What is known of files that are not as they were. */
export interface RewindFacts {
  readonly changes: readonly FileChange[];
  readonly authors: ReadonlyMap<string, FileAuthors>;
  /** Files that changed since they were last in our hands: conflicts, with the reason. */
  readonly foreign: ReadonlyMap<string, string>;
  /** Files that one of the moments knows nothing of, with the reason. */
  readonly uncovered: ReadonlyMap<string, string>;
}

/** Decides what happens to each file that is not as it was. Pure: nothing is read or written. */
export function planRewind(
  { changes, authors, foreign, uncovered }: RewindFacts,
  { session, paths, force = false, acrossCommits = false }: RewindWishes,
): RewindPlan {
  const plan = {
    steps: [] as FileChange[],
    conflicts: [] as LeftFile[],
    others: [] as LeftFile[],
    committed: [] as LeftFile[],
    not_covered: [] as LeftFile[],
  };
  for (const change of changes) {
    const { path, from, to, isAcrossCommits } = change;
    if (paths !== undefined && !isBelow(path, paths)) continue;
    const leave = (list: LeftFile[], why: string) => list.push({ path, why });
    const by = session === undefined ? NO_ONE : (authors.get(path)?.by ?? NO_ONE);
    const unknown = uncovered.get(path) ?? whyUnknown(from, to);
    const changedSince = foreign.get(path);
    if (!isSafePath(path)) leave(plan.not_covered, "its name is not safe to write");
    else if (uncovered.has(path)) leave(plan.not_covered, unknown ?? "");
    else if (isAcrossCommits && !acrossCommits) leave(plan.committed, "the commits differ in it");
    else if (unknown !== undefined) leave(plan.not_covered, unknown);
    else if (changedSince !== undefined && !force) leave(plan.conflicts, changedSince);
    else if (by.size > 0 && !by.has(session ?? "")) leave(plan.others, `changed by ${nameThem(by)}`);
    else if (by.size > 1 && !force) leave(plan.conflicts, `changed by ${nameThem(by)}`);
    else plan.steps.push(change);
  }
  return plan;
}

const NO_ONE: ReadonlySet<string> = new Set();

function whyUnknown(from: FileSide, to: FileSide): string | undefined {
  if (from.kind === "unknown") return `now ${from.why}`;
  return to.kind === "unknown" ? `then ${to.why}` : undefined;
}

const isOne = (each: string) => each === PERSON || each === REWOUND;

export function nameThem(by: Iterable<string>): string {
  return [...by].map((each) => (isOne(each) ? each : `session ${each}`)).join(" or ");
}
