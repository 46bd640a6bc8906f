import type { FileChange, FileSide } from "../compare/compare.ts";
import { type FileAuthors, PERSON, REWOUND } from "../whose/authors.ts";
import { isSafePath } from "./safe-path.ts";

/** What is to be done to one file. */
export interface RewindStep {
  readonly path: string;
  /** As it must be before: otherwise it is left alone. */
  readonly have: FileSide;
  readonly want: FileSide;
}

/** A file that stays as it is, and why. */
export interface LeftFile {
  readonly path: string;
  readonly why: string;
}

/** What a rewind would do, and what it leaves alone. */
export interface RewindPlan {
  readonly steps: readonly RewindStep[];
  /** Changed by others too: neither as it was left nor as it would be. */
  readonly conflicts: readonly LeftFile[];
  /** Changed by others only. */
  readonly others: readonly LeftFile[];
  /** They differ because the commits do. */
  readonly committed: readonly LeftFile[];
  /** Their content is not stored, now or then. */
  readonly notCovered: readonly LeftFile[];
}

export interface RewindWishes {
  /** The session whose changes are taken back; undefined: everybody's. */
  readonly session?: string | undefined;
  /** Only these files, and what is below these folders. */
  readonly paths?: readonly string[] | undefined;
  /** Files that changed since they were last in our hands: conflicts, with the reason. */
  readonly foreign?: ReadonlyMap<string, string> | undefined;
  /** Files that one of the moments knows nothing of, with the reason. */
  readonly uncovered?: ReadonlyMap<string, string> | undefined;
  readonly force?: boolean | undefined;
  readonly acrossCommits?: boolean | undefined;
}

/** Decides what happens to each file that is not as it was. Pure: nothing is read or written. */
export function planRewind(
  changes: readonly FileChange[],
  authors: ReadonlyMap<string, FileAuthors>,
  { session, paths = [], foreign, uncovered, force = false, acrossCommits = false }: RewindWishes,
): RewindPlan {
  const plan = {
    steps: [] as RewindStep[],
    conflicts: [] as LeftFile[],
    others: [] as LeftFile[],
    committed: [] as LeftFile[],
    notCovered: [] as LeftFile[],
  };
  const isMeant = (path: string) =>
    paths.length === 0 || paths.some((each) => each === "" || path === each || path.startsWith(`${each}/`));
  for (const { path, from, to, isAcrossCommits } of changes) {
    if (!isMeant(path)) continue;
    const leave = (list: LeftFile[], why: string) => list.push({ path, why });
    const by = authors.get(path)?.by ?? new Set<string>();
    if (!isSafePath(path)) leave(plan.notCovered, "its name is not safe to write");
    else if (uncovered?.has(path)) leave(plan.notCovered, uncovered.get(path) ?? "");
    else if (isAcrossCommits && !acrossCommits) leave(plan.committed, "the commits differ in it");
    else if (from.kind === "unknown" || to.kind === "unknown") leave(plan.notCovered, whyUnknown(from, to));
    else if (foreign?.has(path) && !force) leave(plan.conflicts, foreign.get(path) ?? "");
    else if (session !== undefined && by.size > 0 && !by.has(session))
      leave(plan.others, `changed by ${nameThem(by)}`);
    else if (session !== undefined && by.size > 1 && !force)
      leave(plan.conflicts, `changed by ${nameThem(by)}`);
    else plan.steps.push({ path, have: from, want: to });
  }
  return plan;
}

function whyUnknown(from: FileSide, to: FileSide): string {
  if (from.kind === "unknown") return `now ${from.why}`;
  return to.kind === "unknown" ? `then ${to.why}` : "";
}

const isOne = (each: string) => each === PERSON || each === REWOUND;

export function nameThem(by: Iterable<string>): string {
  return [...by].map((each) => (isOne(each) ? each : `session ${each}`)).join(" or ");
}
