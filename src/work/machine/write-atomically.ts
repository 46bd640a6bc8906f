import { mkdirSync } from "node:fs";
import { dirname } from "node:path";

import { refuseLinks } from "../../core/store/private-files.ts";
import { writePrivate } from "../../core/store/write-private.ts";

/** Replaces a file below `root`, as `writePrivate` does, unless a link on the way leads elsewhere. */
export function writeAtomically(root: string, path: string, text: string, { mode = 0o644 } = {}): void {
  refuseLinks(root, path);
  // Folders of the project are for everybody who works on it.
  mkdirSync(dirname(path), { recursive: true });
  writePrivate(path, text, { mode });
}
