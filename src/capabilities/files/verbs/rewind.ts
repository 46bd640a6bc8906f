import { existsSync } from "node:fs";
import { join } from "node:path";
import { CheckpointError } from "../../../core/errors.ts";
import { restore } from "../../../work/project/history/go-back.ts";
import type { Project } from "../../../work/project/project.ts";
import type { InputOf } from "../../../work/verbs/field.ts";
import { lookFailed } from "../look/look-again.ts";
import {
  findMoment,
  type KnownMoments,
  knownMoments,
  noMoment,
  shownMoment,
  turnsOf,
  unlessFailed,
} from "../moments/known-moments.ts";
import { findRewind, type RewindGoal } from "../rewind/find-rewind.ts";
import { finishRewind } from "../rewind/finish-rewind.ts";
import { writeJournal } from "../rewind/journal.ts";
import type { LeftFile } from "../rewind/plan.ts";
import type { Snapshot } from "../snapshot/snapshots.ts";
import { takeSnapshot } from "../snapshot/take-snapshot.ts";
import { withTree } from "../tree/hold-tree.ts";
import { isBelow, type FileTree } from "../tree/tree.ts";
import type { FilesTable } from "../verbs.ts";

type RewindInput = InputOf<FilesTable["rewind"]>;

const ACTION = "history.restore";

/** Brings files back as they were, or says what that would do. */
export async function rewind(project: Project, input: RewindInput) {
  const { dryRun: isDryRun = false } = input;
  return withTree(project, async (tree) => {
    refuseDuringGit(tree);
    const known = await knownMoments(project);
    const { target, ...goal } = await goalOf(known, input);
    // Stored in any case where files are about to change: so the gate is asked before.
    const permitted = isDryRun ? {} : { action: ACTION, isMoment: true };
    const { snapshot: now, files } = await takeSnapshot(tree, { why: "before-rewind", ...permitted });
    if (now.failed !== null) throw lookFailed(now.failed);
    const plan = await findRewind(tree, known, { ...goal, target, now, files }).catch((error: unknown) => {
      throw lookFailed(error);
    });
    const { steps, conflicts, others, committed, not_covered } = plan;
    let left: readonly LeftFile[] = [];
    if (!isDryRun && steps.length > 0) {
      // From here on the rewind happens, whatever becomes of this process: the store and git have all content that it needs.
      const names = { before: now.info.checkpoint_id, target: target.info.checkpoint_id };
      writeJournal(tree.folder, { version: 1, ...names, steps });
      left = (await finishRewind(tree, ACTION))?.left ?? [];
    }
    const isLeft = new Set(left.map(({ path }) => path));
    return {
      dry_run: isDryRun,
      target: shownMoment(target),
      before: now.info.checkpoint_id,
      restored: steps
        .filter(({ path }) => !isLeft.has(path))
        .map(({ path, to }) => ({
          path,
          what: to.kind === "absent" ? ("delete" as const) : ("write" as const),
        })),
      conflicts: [...conflicts, ...left],
      others: [...others],
      committed: [...committed],
      not_covered: [...not_covered],
    };
  });
}

export type RewindResult = Awaited<ReturnType<typeof rewind>>;

/** Brings the recorded work back to where it stood at that moment. */
export async function rewindWork(project: Project, input: RewindInput) {
  const known = await knownMoments(project);
  const { target } = await goalOf(known, input);
  const [stored] = target.of === null ? [] : await known.store.find({ idPrefix: target.of, limit: 1 });
  if (stored === undefined)
    throw new CheckpointError("not-found", "No checkpoint of the work belongs to that moment.", {
      hint: "checkpoint list, then: checkpoint restore ID",
    });
  return restore(project, { trail: stored.trail, id: stored.id });
}

const UNDER_WAY: Readonly<Record<string, string>> = {
  "rebase-merge": "a rebase",
  "rebase-apply": "a rebase",
  MERGE_HEAD: "a merge",
  CHERRY_PICK_HEAD: "a cherry-pick",
  REVERT_HEAD: "a revert",
  sequencer: "a cherry-pick or a revert",
};

/** Git counts on the files that it left for the person to finish with. */
function refuseDuringGit({ git }: FileTree): void {
  const found = Object.keys(UNDER_WAY).find((name) => existsSync(join(git.gitDir, name)));
  if (found === undefined) return;
  throw new CheckpointError("refused", `Files are not brought back during ${UNDER_WAY[found]}.`, {
    hint: "Finish it with git first, then try again.",
    details: { found },
  });
}

async function goalOf(known: KnownMoments, input: RewindInput): Promise<RewindGoal> {
  const { id, n, undo = false, force, acrossCommits, only = [] } = input;
  if ([id !== undefined, n !== undefined, undo].filter(Boolean).length > 1)
    throw new CheckpointError("usage", "Give one moment: an id, -n, or --undo.", {
      hint: "checkpoint rewind --help",
    });
  const wishes = { force, acrossCommits, paths: only.length === 0 ? undefined : only };
  if (undo) return { ...wishes, ...lastRewind(known, only) };
  const target = id === undefined ? turnsBack(known, n ?? 1) : await findMoment(known, id);
  return { ...wishes, target, session: target.info.session_id ?? undefined };
}

/** The beginning of the last turn, or of one before it. */
function turnsBack(known: KnownMoments, turns: number): Snapshot {
  const begun = turnsOf(known);
  const { [turns - 1]: found } = begun;
  if (found) return unlessFailed(found);
  throw noMoment(
    begun.length === 0
      ? "No turn of an agent's session is known whose files could be brought back"
      : `The files are known as of the beginning of ${begun.length} turns, not ${turns}`,
  );
}

/** The way back from the last rewind: only the files that it changed, and only where they are as it left them. */
function lastRewind({ list }: KnownMoments, only: readonly string[]): RewindGoal {
  const rewound = list.find(({ rewind: done }) => done !== null);
  const target = list.find(({ info }) => info.checkpoint_id === rewound?.rewind?.before);
  if (!rewound || !target) throw noMoment("There is no rewind to take back");
  const paths = rewound.rewind?.paths.filter((path) => only.length === 0 || isBelow(path, only));
  return { target, paths: paths ?? [], unlessChangedSince: rewound };
}
