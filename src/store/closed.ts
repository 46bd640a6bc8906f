import { CheckpointError } from "../errors.ts";

/** Every call on a store after `close`, except `close` itself. */
export function storeClosed(): CheckpointError {
  return new CheckpointError("usage", "The store is closed.", { hint: "Open it again." });
}
