import { CheckpointError } from "../../core/errors.ts";

export function damagedPack(what: string, cause?: unknown): CheckpointError {
  return new CheckpointError("corrupt", `A pack from the remote ${what}.`, {
    hint: "Nothing of it was taken. Push again from a machine that has the whole trail: checkpoint push --full",
    cause,
  });
}

/** Something stands under a name that nothing of ours would have put there, or it is too large. */
export function notOurs(name: string, what: string): CheckpointError {
  return new CheckpointError("corrupt", `"${name}" on the remote ${what}.`, {
    hint: "Nothing of it was taken. Find out who put it there, and remove it.\nThen, from a machine that has the whole trail: checkpoint push --full",
    details: { name },
  });
}

export function damagedDocument(cause: unknown): CheckpointError {
  const what = "A document on the remote is damaged, or was written by a newer version of Cairn.";
  return new CheckpointError("corrupt", what, {
    hint: "Nothing was taken. From a machine that has the whole trail: checkpoint push --full",
    cause,
  });
}
