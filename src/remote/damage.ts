import { CheckpointError } from "../errors.ts";

export function damagedPack(what: string, cause?: unknown): CheckpointError {
  return new CheckpointError("corrupt", `A pack from the remote ${what}.`, {
    hint: "Nothing of it was taken. Push again from a machine that has the whole trail: checkpoint push --full",
    cause,
  });
}

export function damagedDocument(cause: unknown): CheckpointError {
  const what = "A document on the remote is damaged, or was written by a newer version of Cairn.";
  return new CheckpointError("corrupt", what, {
    hint: "Nothing was taken. From a machine that has the whole trail: checkpoint push --full",
    cause,
  });
}
