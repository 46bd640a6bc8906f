import { fstatSync, openSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { errorCode, readAll } from "./read-bounded.ts";

/**
 * Opens a file that has no name any more, so that it is gone when its last user is, however that ends.
 * A child process that writes into one spares us the first pipe of a process, which costs four
 * milliseconds. Undefined when the folder does not allow it: then a pipe must do.
 */
export function openUnnamed(folder: string): number | undefined {
  const path = join(folder, "output.tmp");
  let file: number | undefined;
  try {
    file = openSync(path, "wx+", 0o600);
    unlinkSync(path);
  } catch (error) {
    // Left by a process that died in between, or made by another this very moment: neither needs its name.
    if (errorCode(error) === "EEXIST") unlinkQuietly(path);
  }
  return file;
}

/** All that was written, or undefined when it is more than `limitBytes`. Does not close the file. */
export function readUnnamed(file: number, limitBytes: number): Buffer | undefined {
  const { size } = fstatSync(file);
  return size > limitBytes ? undefined : readAll(file, size);
}

function unlinkQuietly(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // It was only a name, and its owner has removed it meanwhile.
  }
}
