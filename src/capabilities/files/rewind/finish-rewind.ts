import { count } from "../../../work/state/words.ts";
import { takeSnapshot } from "../snapshot/take-snapshot.ts";
import type { FileTree } from "../tree/tree.ts";
import { type AppliedRewind, applySteps } from "./apply.ts";
import { endJournal, readJournal } from "./journal.ts";

/**
 * Does what the journal says, if there is one, and stores the files as that left them, by which it can be taken back. Without
 * an action the rewind was begun by a process that was killed.
 */
export async function finishRewind(tree: FileTree, action?: string): Promise<AppliedRewind | undefined> {
  const journal = readJournal(tree.folder);
  if (journal === undefined) return undefined;
  const { before, target, steps } = journal;
  const applied = await applySteps(tree, steps);
  const { done, left } = applied;
  if (action === undefined)
    tree.project.notices.warning(
      `A rewind to ${target} had been interrupted. It is finished now: ${count(done.length, "file")} as wanted, ${left.length} left alone. To take it back: checkpoint rewind --undo`,
    );
  try {
    const rewind = { before, target, paths: done };
    await takeSnapshot(tree, { why: "rewound", rewind, isMoment: true, action });
  } finally {
    endJournal(tree.folder);
  }
  return applied;
}
