import { join } from "node:path";
import { bytesIn } from "../folders.ts";
import type { Habit } from "./habit.ts";
import { syncFolder, writeDurably } from "./write-durably.ts";

/** A new JSON file for every checkpoint: all of the history, and all of the bytes. */
export function filePerCheckpoint(folder: string): Habit {
  let number = 0;
  return {
    name: "one JSON file per checkpoint",
    keepsHistory: true,
    save: (state) => {
      number++;
      writeDurably(join(folder, `checkpoint-${number}.json`), JSON.stringify(state));
      syncFolder(folder);
    },
    bytes: () => bytesIn(folder),
  };
}
