import { lstatSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { randomBytes } from "node:crypto";
import { dirname, join } from "node:path";

import { CheckpointError } from "../../errors.ts";

/** Replaces a file atomically: readers see the old or the new text, never a part, even after a power cut. */
export function writeAtomically(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) {
    throw new CheckpointError(
      "refused",
      `"${path}" is a symbolic link, which could lead out of the project.`,
      { hint: "Put a real file in its place.", details: { path } },
    );
  }
  const temporary = join(dirname(path), `.${randomBytes(6).toString("hex")}.tmp`);
  try {
    writeFileSync(temporary, text, { mode: 0o644, flag: "wx", flush: true });
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
