import { CheckpointError, isCheckpointError } from "../errors.ts";
import type { ObjectId } from "../objects/object-id.ts";

/**
 * A change counted on an object that a sweep has deleted in the meantime. Nothing was written; encoding the
 * state afresh, without what was remembered, makes the change complete again.
 *
 * @example
 * for (const link of object.links) if (!has(link)) throw staleReference(link);
 */
export function staleReference(id: ObjectId): CheckpointError {
  return new CheckpointError(
    "conflict",
    `Object ${id} was swept away while a change that refers to it was prepared.`,
    {
      hint: "Commit again.",
      details: { object: id, stale: true },
    },
  );
}

/** Whether a commit was refused because of an object that is gone. */
export function isStaleReference(error: unknown): boolean {
  return isCheckpointError(error, "conflict") && error.details.stale === true;
}

/**
 * A commit was prepared for another head than the trail has: its writer lost a race, and nothing was written.
 *
 * @example
 * if (commit.head && commit.head.from !== found) throw headMoved(commit.trail, commit.head.from, found);
 */
export function headMoved(
  trail: string,
  expected: ObjectId | undefined,
  found: ObjectId | undefined,
): CheckpointError {
  return new CheckpointError("conflict", `Trail "${trail}" has moved on since it was read.`, {
    hint: "Load the trail again and repeat the change on its new head.",
    details: { trail, expected: expected ?? null, found: found ?? null },
  });
}

/**
 * Another checkpoint of the trail has this foreign id, so nothing was written.
 *
 * @example
 * if (owner !== undefined && owner !== checkpoint.id) throw foreignIdTaken(trail, foreignId);
 */
export function foreignIdTaken(trail: string, foreignId: string): CheckpointError {
  return new CheckpointError("conflict", `Trail "${trail}" already has a checkpoint for "${foreignId}".`, {
    details: { trail, foreignId },
  });
}

/**
 * The trail was removed, so nothing is added to it: the committer has not noticed yet.
 *
 * @example
 * if (isRemoved(trail) && !commit.revives) throw trailRemoved(trail);
 */
export function trailRemoved(trail: string): CheckpointError {
  return new CheckpointError("conflict", `Trail "${trail}" was removed and accepts no more commits.`, {
    hint: "Use another name.",
    details: { trail, removed: true },
  });
}

/**
 * What `attach`, and paging before an unknown checkpoint, reject with.
 *
 * @example
 * if (!checkpoints.has(id)) throw noSuchCheckpoint(id);
 */
export function noSuchCheckpoint(id: ObjectId): CheckpointError {
  return new CheckpointError("not-found", `There is no checkpoint ${id} in this store.`, { details: { id } });
}

/**
 * What paging before a checkpoint that was removed rejects with.
 *
 * @example
 * throw tombstones.has(id) ? prunedCheckpoint(id) : noSuchCheckpoint(id);
 */
export function prunedCheckpoint(id: ObjectId): CheckpointError {
  return new CheckpointError("not-found", `Checkpoint ${id} was pruned.`, {
    hint: "checkpoint list",
    details: { id },
  });
}

/**
 * Rejects a record's key or a foreign id with half of a surrogate pair in it: in UTF-8 it would become another text, and
 * two of them might become the same.
 *
 * @example
 * assertWellFormed(...records.keys());
 */
export function assertWellFormed(...texts: readonly (string | undefined)[]): void {
  const text = texts.find((each) => each !== undefined && !each.isWellFormed());
  if (text === undefined) return;
  throw new CheckpointError("usage", `${JSON.stringify(text.slice(0, 60))} is not well-formed Unicode.`, {
    hint: "Remove the half surrogate pair, or encode the text.",
    details: { text: text.slice(0, 60) },
  });
}

/** A store that only a later version of this program can read. */
export function newerFormat(store: string, version: number, known: number): CheckpointError {
  return new CheckpointError(
    "refused",
    `${store} was written by a newer version of Cairn (format ${version}; this program knows ${known}).`,
    { hint: "npm install cairn-checkpoint@latest", details: { version, known } },
  );
}

/**
 * What every call on a store rejects with after `close`, except `close` itself.
 *
 * @example
 * if (this.#isClosed) throw storeClosed();
 */
export function storeClosed(): CheckpointError {
  return new CheckpointError("usage", "The store is closed.", { hint: "Open it again." });
}
