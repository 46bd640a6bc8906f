import type { Progress } from "../contract.ts";
import { refuseLinkedStore } from "../private-files.ts";
import { backup, DatabaseSync } from "./node-sqlite.ts";
import { explain } from "./sqlite-error.ts";

/** How much is copied before others get a turn. */
const PAGES = 2000;

/** Copies a store into a new file as it is at this moment, while others go on writing. */
export async function copyStoreFile(from: string, to: string, { onProgress }: Progress = {}): Promise<void> {
  refuseLinkedStore(from);
  try {
    const db = new DatabaseSync(from, { readOnly: true });
    try {
      db.exec("PRAGMA busy_timeout = 10000");
      // Holds one state of the store: otherwise every commit of another process would start the copy over.
      db.exec("BEGIN");
      db.prepare("SELECT count(*) FROM sqlite_schema").get();
      await backup(db, to, {
        rate: PAGES,
        progress: ({ totalPages, remainingPages }) => onProgress?.(totalPages - remainingPages, totalPages),
      });
    } finally {
      db.close();
    }
  } catch (error) {
    throw explain(error, from);
  }
}
