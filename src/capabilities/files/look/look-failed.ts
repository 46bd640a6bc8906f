import { CheckpointError } from "../../../core/errors.ts";

/** For a look that found out nothing, with the reason. */
export function lookFailed(cause: unknown): CheckpointError {
  if (cause instanceof CheckpointError) return cause;
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new CheckpointError("failed", `The files cannot be looked at: ${reason}.`, {
    hint: "Nothing was changed. Find out why: checkpoint doctor",
    details: { reason },
    cause,
  });
}
