import { CheckpointError } from "../errors.ts";
import type { CheckpointInfo } from "./document.ts";

export function noCheckpoint(trail: string): CheckpointError {
  return new CheckpointError("not-found", `There is no checkpoint in trail "${trail}" yet.`, {
    hint: "checkpoint now",
    details: { trail },
  });
}

export function noParent({ checkpoint_id, trail }: CheckpointInfo): CheckpointError {
  return new CheckpointError(
    "not-found",
    `Checkpoint ${checkpoint_id} is the first of trail "${trail}": nothing came before it.`,
    {
      hint: "checkpoint list",
      details: { id: checkpoint_id, trail },
    },
  );
}

/** A damaged checkpoint that no trail has as its head, so that no repair is needed or would help. */
export function damagedCheckpoint(
  { checkpoint_id, trail }: CheckpointInfo,
  cause: CheckpointError,
): CheckpointError {
  return new CheckpointError("corrupt", `Checkpoint ${checkpoint_id} is damaged: its state cannot be read.`, {
    hint: "To see which ones are whole: checkpoint list\nTo go back to one of them: checkpoint restore ID",
    details: { ...cause.details, id: checkpoint_id, trail },
    cause,
  });
}

export function trailExists(
  name: string,
  hint = "Choose another name: checkpoint list --all shows those in use.",
): CheckpointError {
  return new CheckpointError("conflict", `There is already a trail "${name}".`, {
    hint,
    details: { trail: name },
  });
}

/** A checkpoint or file in a format that this version does not know. */
export function newerVersion(
  what: string,
  format: string,
  details: Record<string, unknown>,
): CheckpointError {
  return new CheckpointError("refused", `${what} was written by a newer version of Cairn (${format}).`, {
    hint: "npm install cairn-checkpoint@latest",
    details,
  });
}

export function runsRefuseUndo(name: string): CheckpointError {
  return new CheckpointError(
    "refused",
    `"${name}" is the trail of a run: what its steps did outside cannot be undone here.`,
    {
      hint: "Fork it from an earlier checkpoint instead: checkpoint fork ID --as TRAIL",
      details: { trail: name },
    },
  );
}

export function asynchronousUpdater(): CheckpointError {
  return new CheckpointError("usage", "The updater returned a promise, but it must be synchronous.", {
    hint: "Await what you need first, then commit with it: an updater may run more than once, under a lock.",
  });
}

export function notAnObject(state: unknown, hasToJson: boolean): CheckpointError {
  const found = hasToJson ? "an object with a toJSON method" : String(state);
  return new CheckpointError(
    "usage",
    `A state is a JSON object, not ${Array.isArray(state) ? "an array" : found}.`,
    { hint: "An updater changes its draft and returns nothing, or returns a whole new state." },
  );
}

export function returnedPart(): CheckpointError {
  return new CheckpointError(
    "usage",
    "The updater returned a part of its draft, which would replace the whole state.",
    {
      hint: "Put the body of the updater in braces: (state) => { state.part = value; }",
    },
  );
}

export function invalidDate(): CheckpointError {
  return new CheckpointError("usage", "The clock that was passed in gives an invalid date.", {
    hint: "Pass a function as `now` that returns a valid Date.",
  });
}
