import { CheckpointError } from "../../../core/errors.ts";
import { restore } from "../../../work/project/history/go-back.ts";
import type { Project } from "../../../work/project/project.ts";
import type { InputOf } from "../../../work/verbs/field.ts";
import {
  findMoment,
  type KnownSnapshots,
  knownSnapshots,
  refuseFailed,
  sessionMeant,
} from "../compare/find-moment.ts";
import { compare, type FileSide, momentOf } from "../compare/compare.ts";
import type { LookedTree } from "../look/look.ts";
import type { Store } from "../../../core/store/contract.ts";
import { refuseDuringGit } from "../rewind/git-operation.ts";
import { type LeftFile } from "../rewind/plan.ts";
import { applyRewind, findRewind, type RewindGoal } from "../rewind/rewind.ts";
import { filesOf, type Snapshot } from "../snapshot/snapshots.ts";
import { authorsIn, momentsOf } from "../whose/authors.ts";
import { withTree } from "../tree.ts";
import type { FilesTable } from "../verbs.ts";
import { lookFailed } from "./look-now.ts";
import { shownMoment } from "./shown-moment.ts";

type RewindInput = InputOf<FilesTable["rewind"]>;

/** Brings files back as they were, or says what that would do. */
export async function rewind(project: Project, input: RewindInput) {
  refuseDuringGit(project.root);
  const known = await knownSnapshots(project);
  const goal = await goalOf(project, known, input);
  return withTree(project, async (tree, folder) => {
    const { store } = await project.stores.open(project, "read");
    const scene = { project, tree, folder, store };
    const { dryRun = false } = input;
    const found = await findRewind(scene, { ...goal, isDryRun: dryRun }).catch((error: unknown) => {
      throw lookFailed(error);
    });
    const { now, plan } = found;
    const unwritten = dryRun || plan.steps.length === 0 ? [] : await applyRewind(scene, found, goal.target);
    const left = new Set(unwritten.map(({ path }) => path));
    const restored = plan.steps.flatMap(({ path, want }) =>
      left.has(path)
        ? []
        : [{ path, what: want.kind === "absent" ? ("delete" as const) : ("write" as const) }],
    );
    return {
      dry_run: dryRun,
      target: shownMoment(goal.target),
      before: now.info.checkpoint_id,
      restored,
      conflicts: [...plan.conflicts, ...unwritten] as LeftFile[],
      others: [...plan.others],
      committed: [...plan.committed],
      not_covered: [...plan.notCovered],
    };
  });
}

export type RewindResult = Awaited<ReturnType<typeof rewind>>;

/** Brings the recorded work back to where it stood at that moment. */
export async function rewindWork(project: Project, input: RewindInput) {
  const known = await knownSnapshots(project);
  const { target } = await goalOf(project, known, input);
  const [stored] = target.of === null ? [] : await known.store.find({ idPrefix: target.of, limit: 1 });
  if (stored === undefined)
    throw new CheckpointError("not-found", "No checkpoint of the work belongs to that moment.", {
      hint: "checkpoint list, then: checkpoint restore ID",
    });
  return restore(project, { trail: stored.trail, id: stored.id });
}

async function goalOf(project: Project, known: KnownSnapshots, input: RewindInput): Promise<RewindGoal> {
  const { id, n, undo = false, force, acrossCommits, only } = input;
  if ([id !== undefined, n !== undefined, undo].filter(Boolean).length > 1)
    throw new CheckpointError("usage", "Give one moment: an id, -n, or --undo.", {
      hint: "checkpoint rewind --help",
    });
  const wishes = { force, acrossCommits, paths: only };
  if (undo) return { ...wishes, ...(await lastRewind(project, known)) };
  const target = refuseFailed(
    id === undefined ? turnsBack(project, known, n ?? 1) : await findMoment(project, known, id),
  );
  return { ...wishes, target, session: target.info.session_id ?? undefined };
}

/** The beginning of the last turn, or of one before it. */
function turnsBack(project: Project, { list }: KnownSnapshots, turns: number): Snapshot {
  const session = sessionMeant(project, list);
  const begun = list.filter(({ why, info }) => why === "prompt" && info.session_id === session);
  const found = begun[turns - 1];
  if (found !== undefined) return found;
  throw new CheckpointError(
    "not-found",
    begun.length === 0
      ? "No turn of an agent's session is known whose files could be brought back."
      : `The files are known as of the beginning of ${begun.length} turns, not ${turns}.`,
    { hint: "To see which moments are known: checkpoint files log" },
  );
}

/** The way back from the last rewind: only the files that it changed, and only where they are as it left them. */
async function lastRewind(project: Project, { store, list }: KnownSnapshots): Promise<RewindGoal> {
  const rewound = list.find(({ why }) => why === "rewound");
  const [target, goal] = (rewound?.info.notes?.split(" ") ?? []).map((id) =>
    list.find(({ info }) => info.checkpoint_id === id),
  );
  if (rewound === undefined || target === undefined)
    throw new CheckpointError("not-found", "There is no rewind to take back.", {
      hint: "To see which moments are known: checkpoint files log",
    });
  const pair = list.slice(list.indexOf(rewound), list.indexOf(target) + 1);
  const paths = await withTree(project, async (tree) => {
    const changed = await authorsIn(tree, momentsOf(store, pair.toReversed()));
    const others = goal ? await differing(tree, store, [goal, rewound]) : new Set();
    return [...changed.keys()].filter((path) => !others.has(path));
  });
  // Of a rewind that changed nothing, nothing is taken back.
  return { target, paths: paths.length === 0 ? ["\0"] : paths, unlessChangedSince: rewound };
}

/** Files that are not as a rewind meant them: what others wrote while it was under way is not its own. */
async function differing(
  tree: LookedTree,
  store: Store,
  [goal, rewound]: readonly [Snapshot, Snapshot],
): Promise<ReadonlySet<string>> {
  const filesAt = async (moment: Snapshot) => momentOf(moment, await filesOf(store, moment));
  const isKnown = ({ kind }: FileSide) => kind === "stored" || kind === "absent";
  const found = await compare(tree, await filesAt(goal), await filesAt(rewound));
  return new Set(found.filter(({ from, to }) => isKnown(from) && isKnown(to)).map(({ path }) => path));
}
