import { readFileSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { statePath } from "../machine/folders.ts";
import { STORE_FILE } from "../../core/trails/store-file.ts";
import { type Anchored, compareWithAnchor } from "../../core/store/sqlite/anchor.ts";
import { writePrivate } from "../../core/store/write-private.ts";
import type { Project } from "./project.ts";
import { digestOf } from "./remembered.ts";

type Anchoring = Pick<Project, "env" | "folder" | "shared">;

/**
 * Keeps the store's last commit in the user's state folder, where a copy of the project does not reach. Written when a
 * store is made, by `doctor` and `verify`, and when a server ends, which comes with the end of an agent's session. So it
 * may lag; it never runs ahead. An anchor that shows a rollback stays until somebody accepts that.
 *
 * @param isNew The store was just made, or its loss accepted: whatever was known before does not count.
 */
export function dropAnchor(project: Anchoring, { isNew = false } = {}): void {
  const compared = compare(project);
  if (compared === undefined || (compared.isRolledBack && !isNew)) return;
  try {
    const path = anchorFile(project);
    if (path !== undefined) writePrivate(path, compared.newest);
  } catch {
    // It only lags then.
  }
}

/** What shows that an older copy, or another store, took the place of the one that was used here. */
export function findRollback(project: Anchoring): string | undefined {
  if (compare(project)?.isRolledBack) {
    const known = Number(readAnchor(project)?.split(" ")[1]);
    return `An older copy, or another store, took the place of "${project.folder}": commit ${known} was saved in it, and is not there.`;
  }
  dropAnchor(project);
  return undefined;
}

function compare(project: Anchoring): Anchored | undefined {
  if (project.shared !== undefined) return undefined;
  return compareWithAnchor(join(project.folder, STORE_FILE), readAnchor(project));
}

function readAnchor(project: Anchoring): string | undefined {
  try {
    return readFileSync(anchorFile(project) ?? "", "latin1");
  } catch {
    return undefined;
  }
}

/** Whether a store was used in this folder before, by this user on this machine. */
export function wasUsed(project: Anchoring): boolean {
  return readAnchor(project) !== undefined;
}

/** In the user's own state: one file for each folder that held a store. The folder itself may be gone. */
function anchorFile({ env, folder }: Anchoring): string | undefined {
  const real = join(realpathSync(dirname(folder)), basename(folder));
  return statePath(env, "heads", digestOf(real).slice(0, 32));
}
