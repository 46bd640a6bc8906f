import type { Project } from "../../../work/project/project.ts";
import { type AppliedRewind, applyJournal } from "./apply.ts";
import { endJournal, readJournal } from "./journal.ts";

/** A rewind that is over. */
export interface FinishedRewind extends AppliedRewind {
  /** What it went back to, and the snapshot of the files before it. */
  readonly target: string;
  readonly before: string;
}

/** Does what the journal says, and ends it; undefined where there is none. */
export function finishRewind(
  { root, machine }: Project,
  folder: string,
  { isStaged = false } = {},
): FinishedRewind | undefined {
  const journal = readJournal(folder);
  if (journal === undefined) return undefined;
  const applied = applyJournal({ root, folder, userId: machine.userId, isStaged }, journal);
  endJournal(folder);
  return { ...applied, target: journal.target, before: journal.before };
}
