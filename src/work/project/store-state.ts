import { CheckpointError, isCheckpointError } from "../../core/errors.ts";

/** How a store is as a whole: used, without a checkpoint yet, no longer in its place, or on a server that does not answer. */
export type StoreState = "live" | "empty" | "gone" | "unreachable";

/** What an error says about the store as a whole. Whatever else goes wrong with it, nothing can be seen of it. */
export function storeStateOf(error: unknown): StoreState {
  const said = isCheckpointError(error) ? error.details["store"] : undefined;
  return said === "empty" || said === "gone" ? said : "unreachable";
}

/** A store was used here before. It is not the same as none: an empty page or a new store would hide the loss. */
export function storeGone(folder: string, mirror?: { readonly at: Date }): CheckpointError {
  const copy =
    mirror === undefined
      ? "To bring a backup in: checkpoint backup restore FILE"
      : `Its mirror is there (${mirror.at.toISOString()}). To bring it in: checkpoint mirror restore`;
  return new CheckpointError("not-found", `The store that was in "${folder}" is gone.`, {
    hint: `If it was moved, move it back.\n${copy}`,
    details: { store: "gone", path: folder },
  });
}
