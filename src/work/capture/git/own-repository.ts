import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { refuseLinks } from "../../../core/store/private-files.ts";
import type { GitLocation } from "./git-head.ts";

/** What tools make again: no work is lost with it. */
const MADE_AGAIN = [
  ".hg",
  ".svn",
  "node_modules",
  "__pycache__",
  ".venv",
  "venv",
  ".tox",
  ".mypy_cache",
  ".pytest_cache",
  ".cache",
  ".gradle",
  ".next",
  "target",
];

/** An empty repository for a folder that is in none: with it git lists all files that are not ignored. */
export function ownRepository(root: string, folder: string): GitLocation {
  const gitDir = join(folder, "repository");
  for (const name of ["HEAD", "objects", "refs", "info/exclude"]) refuseLinks(folder, join(gitDir, name));
  if (!existsSync(join(gitDir, "HEAD"))) makeRepository(gitDir, MADE_AGAIN);
  return { top: root, gitDir, commonDir: gitDir, prefix: "" };
}

/** As much of a repository as git needs to say which files are ignored. */
export function makeRepository(gitDir: string, excluded: readonly string[]): void {
  for (const name of ["objects", "refs", "info"])
    mkdirSync(join(gitDir, name), { recursive: true, mode: 0o700 });
  writeFileSync(join(gitDir, "info/exclude"), excluded.map((name) => `${name}\n`).join(""));
  writeFileSync(join(gitDir, "HEAD"), "ref: refs/heads/none\n");
}
