import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { randomBytes } from "node:crypto";
import { dirname, join } from "node:path";

import { refuseLinks } from "../../store/private-files.ts";

/**
 * Replaces a file below `root` atomically: readers see the old or the new text, never a part, even after a power cut.
 * A link on the way is refused.
 */
export function writeAtomically(root: string, path: string, text: string, { mode = 0o644 } = {}): void {
  refuseLinks(root, path);
  mkdirSync(dirname(path), { recursive: true });
  const temporary = join(dirname(path), `.${randomBytes(6).toString("hex")}.tmp`);
  try {
    writeFileSync(temporary, text, { mode, flag: "wx", flush: true });
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
