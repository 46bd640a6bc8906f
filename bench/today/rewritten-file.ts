import { renameSync } from "node:fs";
import { join } from "node:path";
import { bytesIn } from "../folders.ts";
import type { Habit } from "./habit.ts";
import { syncFolder, writeDurably } from "./write-durably.ts";

/** One JSON file that is replaced: no history, no protection against a second writer. */
export function rewrittenFile(folder: string): Habit {
  const path = join(folder, "state.json");
  return {
    name: "rewrite one JSON file",
    keepsHistory: false,
    save: (state) => {
      writeDurably(`${path}.tmp`, JSON.stringify(state));
      renameSync(`${path}.tmp`, path);
      syncFolder(folder);
    },
    bytes: () => bytesIn(folder),
  };
}
