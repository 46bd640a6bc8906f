import { CheckpointError } from "../errors.ts";

export function damagedPack(what: string, cause?: unknown): CheckpointError {
  return new CheckpointError("corrupt", `A pack from the remote ${what}.`, {
    hint: "Nothing of it was taken. Push again from a machine that has the whole trail: checkpoint push --full",
    cause,
  });
}
