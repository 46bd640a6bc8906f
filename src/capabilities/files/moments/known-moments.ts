import { CheckpointError, isCheckpointError } from "../../../core/errors.ts";
import type { Store } from "../../../core/store/contract.ts";
import { findCheckpoint } from "../../../core/trails/find-checkpoint.ts";
import { parseIdQuery } from "../../../core/trails/names.ts";
import { chooseTrail } from "../../../work/project/choose-trail.ts";
import type { Project } from "../../../work/project/project.ts";
import { readSnapshots, type Snapshot } from "../snapshot/snapshots.ts";

/** The snapshots of a project, newest first. */
export interface KnownMoments {
  readonly project: Project;
  readonly store: Store;
  readonly list: readonly Snapshot[];
}

export async function knownMoments(project: Project): Promise<KnownMoments> {
  const { store } = await project.stores.open(project, "read");
  return { project, store, list: await readSnapshots(store, project) };
}

/**
 * The files as they were at a moment that is named: a snapshot, a checkpoint of the work, or a turn by its number. For a
 * checkpoint it is the first look after it, or where that found nothing new, the last one before.
 */
export async function findMoment(known: KnownMoments, named: string): Promise<Snapshot> {
  const found = /^\d{1,3}$/.test(named)
    ? turnsOf(known).find(({ turn }) => turn === Number(named))
    : (ownSnapshot(known, named) ?? (await ofCheckpoint(known, named)));
  if (found === undefined) throw noMoment(`No files are known as of "${named}"`, { moment: named });
  return unlessFailed(found);
}

/** A look that failed knows nothing of the files. */
export function unlessFailed(snapshot: Snapshot): Snapshot {
  const { failed, info } = snapshot;
  if (failed === null) return snapshot;
  throw noMoment(`The files are not known as of ${info.checkpoint_id}: ${failed}`, { reason: failed });
}

/** The beginnings of turns of the caller's session, or of the one that last had a turn; newest first. */
export function turnsOf({ project, list }: KnownMoments): Snapshot[] {
  const begun = list.filter(({ why }) => why === "prompt");
  const session = project.actor.session?.id ?? begun[0]?.info.session_id;
  return begun.filter(({ info }) => info.session_id === session);
}

function ownSnapshot({ list }: KnownMoments, named: string): Snapshot | undefined {
  try {
    const { idPrefix = "", createdFrom = -Infinity, createdTo = Infinity } = parseIdQuery(named);
    const fitting = list.filter(({ info }) => {
      const at = Date.parse(info.created_at);
      return info.content_hash.startsWith(idPrefix) && at >= createdFrom && at <= createdTo;
    });
    // A date alone rather means a checkpoint of the work.
    return idPrefix !== "" && fitting.length === 1 ? fitting[0] : undefined;
  } catch (error) {
    if (isCheckpointError(error, "usage")) return undefined;
    throw error;
  }
}

async function ofCheckpoint(
  { project, store, list }: KnownMoments,
  named: string,
): Promise<Snapshot | undefined> {
  const { name } = chooseTrail(project, undefined);
  try {
    const { info } = await findCheckpoint(store, name, named);
    // A look that found nothing new stored nothing. Of checkpoints and snapshots only dates tell which came first.
    return (
      list.findLast(({ of }) => of === info.content_hash) ??
      list.find((each) => each.info.created_at <= info.created_at)
    );
  } catch (error) {
    if (isCheckpointError(error, "usage")) return undefined;
    throw error;
  }
}

/** For a moment of which no files are known. */
export function noMoment(why: string, details = {}): CheckpointError {
  return new CheckpointError("not-found", `${why}.`, {
    hint: "To see which moments are known: checkpoint files log",
    details,
  });
}

/** A moment whose files are known, as verbs return it. */
export function shownMoment({ info, why, turn, by, tools, files, failed }: Snapshot) {
  const { checkpoint_id, created_at, session_id } = info;
  return { checkpoint_id, created_at, why, turn, session_id, by: [...by], tools: [...tools], files, failed };
}
