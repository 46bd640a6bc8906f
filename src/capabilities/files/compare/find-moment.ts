import { CheckpointError, isCheckpointError } from "../../../core/errors.ts";
import type { Store } from "../../../core/store/contract.ts";
import { findCheckpoint } from "../../../core/trails/find-checkpoint.ts";
import { parseIdQuery } from "../../../core/trails/names.ts";
import { chooseTrail } from "../../../work/project/choose-trail.ts";
import type { Project } from "../../../work/project/project.ts";
import { readSnapshots, type Snapshot, snapshotTrails } from "../snapshot/snapshots.ts";

/** The snapshots of a project, newest first, and the way to one of them. */
export interface KnownSnapshots {
  readonly store: Store;
  readonly list: readonly Snapshot[];
}

export async function knownSnapshots(project: Project): Promise<KnownSnapshots> {
  const { store } = await project.stores.open(project, "read");
  return { store, list: await readSnapshots(store, snapshotTrails(project)) };
}

/**
 * The files as they were at a moment that is named: a snapshot, a checkpoint of the work, or a turn by its number. For a
 * checkpoint it is the first look after it, or where that found nothing new, the last one before.
 */
export async function findMoment(project: Project, known: KnownSnapshots, named: string): Promise<Snapshot> {
  const found = isTurn(named)
    ? turnNumbered(project, known, Number(named))
    : (ownSnapshot(known, named) ?? (await ofCheckpoint(project, known, named)));
  if (found === undefined) throw noMoment(named);
  return found;
}

const isTurn = (named: string) => /^\d{1,3}$/.test(named);

/** The beginning of a turn of the caller's session, or of the one that last had a turn. */
function turnNumbered(project: Project, { list }: KnownSnapshots, turn: number): Snapshot | undefined {
  const session = sessionMeant(project, list);
  return list.find((each) => each.why === "prompt" && each.turn === turn && each.info.session_id === session);
}

/** The session whose turns are meant. */
export function sessionMeant({ actor }: Project, list: readonly Snapshot[]): string | null | undefined {
  return actor.session?.id ?? list.find(({ why }) => why === "prompt")?.info.session_id;
}

function ownSnapshot({ list }: KnownSnapshots, named: string): Snapshot | undefined {
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
  project: Project,
  { store, list }: KnownSnapshots,
  named: string,
): Promise<Snapshot | undefined> {
  const { name } = chooseTrail(project, undefined);
  const { info } = await findCheckpoint(store, name, named).catch((error: unknown) => {
    throw isCheckpointError(error, "usage") ? noMoment(named) : error;
  });
  const first = list.findLast(({ of }) => of === info.content_hash);
  if (first !== undefined) return first;
  // A look that found nothing new stored nothing. Of checkpoints and snapshots only dates tell which came first.
  return list.find((each) => each.info.created_at <= info.created_at);
}

/** For a moment of which no files are known. */
function noMoment(named: string): CheckpointError {
  return new CheckpointError("not-found", `No files are known as of "${named}".`, {
    hint: "To see which moments are known: checkpoint files log",
    details: { moment: named },
  });
}

/** A snapshot whose look failed knows nothing of the files. */
export function refuseFailed(snapshot: Snapshot): Snapshot {
  if (snapshot.failed === null) return snapshot;
  throw new CheckpointError(
    "not-found",
    `The files are not known as of ${snapshot.info.checkpoint_id}: ${snapshot.failed}.`,
    { hint: "To see which moments are known: checkpoint files log", details: { reason: snapshot.failed } },
  );
}
