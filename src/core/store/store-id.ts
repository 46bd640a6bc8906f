import { CheckpointError } from "../errors.ts";

/** A UUID, or what an older version or another store made of it. */
const STORE_ID = /^[\w-]{1,64}$/;

export const isStoreId = (id: unknown): id is string => typeof id === "string" && STORE_ID.test(id);

/**
 * The id of a store, as it stands in it. Files in the user's own folders are named after it (remotes, mirrors, the page's
 * address), and a store may have come with a repository: an id such as `../x` would lead out of those folders.
 */
export function checkedStoreId(id: unknown): string {
  if (isStoreId(id)) return id;
  throw new CheckpointError(
    "corrupt",
    "The store is damaged: its id does not have the form that Cairn writes.",
    {
      hint: "The store was changed from outside. Restore a backup, or move the folder away and start again.",
    },
  );
}
