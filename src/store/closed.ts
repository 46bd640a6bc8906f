import { CheckpointError } from "../errors.ts";

/**
 * What every call on a store rejects with after `close`, except `close` itself.
 *
 * @example
 * if (this.#isClosed) throw storeClosed();
 */
export function storeClosed(): CheckpointError {
  return new CheckpointError("usage", "The store is closed.", { hint: "Open it again." });
}
