import type { Project } from "../../../work/project/project.ts";
import type { LookedTree } from "../look/look.ts";
import type { Snapshot } from "../snapshot/snapshots.ts";
import { takeSnapshot } from "../take-snapshot.ts";
import { type AppliedRewind, applyJournal } from "./apply.ts";
import { endJournal, readJournal } from "./journal.ts";

/** A rewind whose files are written. */
export interface FinishedRewind extends AppliedRewind {
  /** What it went back to, and the snapshot of the files before it. */
  readonly target: string;
  readonly before: string;
}

/** Does what the journal says, which stays until `endRewind`; undefined where there is none. */
export function finishRewind(
  { root, machine }: Project,
  folder: string,
  { isStaged = false } = {},
): FinishedRewind | undefined {
  const journal = readJournal(folder);
  if (journal === undefined) return undefined;
  const applied = applyJournal({ root, folder, userId: machine.userId, isStaged }, journal);
  return { ...applied, target: journal.target, before: journal.before };
}

/** Stores the files as the rewind left them, by which it can be taken back, and ends its journal. */
export async function endRewind(
  project: Project,
  { tree, folder }: { readonly tree: LookedTree; readonly folder: string },
  { before, target }: FinishedRewind,
  action?: string,
): Promise<Snapshot> {
  try {
    const occasion = { why: "rewound", notes: `${before} ${target}`, isMoment: true } as const;
    const taken = await takeSnapshot(project, tree, folder, { ...occasion, ...(action && { action }) });
    return taken.snapshot;
  } finally {
    endJournal(folder);
  }
}
