import { appendFileSync, lstatSync, renameSync } from "node:fs";
import { join } from "node:path";
import { readBounded } from "./read-bounded.ts";
import { assertOwn, refuseLinks } from "../../core/store/private-files.ts";

/** A file of short lines beside the store, and its predecessor: never more than two of this size. */
export interface ProjectLog {
  readonly file: string;
  readonly largestBytes: number;
}

/** Adds a line, unless nothing was ever saved here. Never throws: a log that cannot be written must not disturb an agent. */
export function appendLine(folder: string, { file, largestBytes }: ProjectLog, line: string): void {
  const path = join(folder, file);
  try {
    // A link could lead anywhere, and another user's folder is not ours to write to.
    if (!lstatSync(folder).isDirectory()) return;
    assertOwn(folder);
    refuseLinks(folder, path);
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found !== undefined && !found.isFile()) return;
    if ((found?.size ?? 0) > largestBytes) renameSync(path, `${path}.old`);
    appendFileSync(path, `${line}\n`, { mode: 0o600 });
  } catch {
    // The log is a convenience.
  }
}

/** The lines of the log, oldest first; undefined if there is none. */
export function readLines(
  folder: string,
  { file, largestBytes }: ProjectLog,
  which: "" | ".old" = "",
): string[] | undefined {
  const { bytes } = readBounded(join(folder, `${file}${which}`), 2 * largestBytes);
  return bytes?.toString("utf8").split("\n").filter(Boolean);
}
