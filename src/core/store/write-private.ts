import { randomBytes } from "node:crypto";
import { existsSync, linkSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { makePrivateFolder, syncFolder, syncParents } from "./private-files.ts";

export interface WritePrivateOptions {
  /** A file that is there already stays as it is, and false is returned. */
  readonly isNew?: boolean | undefined;
  readonly mode?: number | undefined;
}

/**
 * Writes a whole file for its owner alone. After a crash or a power cut at any moment the file is as it was before or as it
 * is now, never empty or a part; once this returns, it is as it is now. Makes the folders on the way.
 */
export function writePrivate(
  path: string,
  data: string | Uint8Array,
  { isNew = false, mode = 0o600 }: WritePrivateOptions = {},
): boolean {
  const folder = dirname(path);
  const firstMade = makePrivateFolder(folder);
  const temporary = join(folder, `.${randomBytes(6).toString("hex")}.tmp`);
  try {
    writeFileSync(temporary, data, { mode, flag: "wx", flush: true });
    if (!isNew) renameSync(temporary, path);
    else if (!nameNew(temporary, path)) return false;
  } finally {
    // Gone already where it was renamed. On a full disk a part of it would keep the disk full.
    rmSync(temporary, { force: true });
  }
  syncFolder(folder);
  if (firstMade !== undefined) syncParents(folder, firstMade);
  return true;
}

const NO_HARD_LINKS = new Set<string | undefined>(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"]);

/**
 * Gives a file that is whole and synced a name that is free; false if it is taken. By a link, which fails where a rename
 * would replace what another process made meanwhile. FAT has no links. The name is durable once its folder is synced.
 */
export function nameNew(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST" || existsSync(to)) return false;
    if (!NO_HARD_LINKS.has(code)) throw error;
    renameSync(from, to);
    return true;
  }
}
