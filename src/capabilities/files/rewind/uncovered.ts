import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ReadObjects } from "../../../core/objects/read-tree.ts";
import { runGit } from "../../../work/capture/git/run-git.ts";
import type { FileChange } from "../moments/compare.ts";
import { readSides } from "../moments/sides.ts";
import type { Snapshot } from "../snapshot/snapshots.ts";
import { makeRepository } from "../../../work/capture/git/own-repository.ts";
import { levelsOf, type FileTree } from "../tree/tree.ts";
import { isSafePath } from "./safe-path.ts";

/**
 * Files that are in no snapshot of a moment although they may have been there: in a repository inside, or ignored by a
 * `.gitignore` as it was then. By path, with the reason.
 */
export async function findUncovered(
  tree: FileTree,
  changes: readonly FileChange[],
  { moments, read }: { readonly moments: readonly Snapshot[]; readonly read: ReadObjects },
): Promise<Map<string, string>> {
  const inside = new Set(moments.flatMap(({ repositories }) => repositories.map(({ path }) => path)));
  const found = new Map<string, string>();
  for (const path of await ignoredThen(tree, changes, read)) found.set(path, "it was ignored then");
  for (const { path } of changes)
    if (levelsOf(path).some((level) => inside.has(level))) found.set(path, "in a repository inside");
  return found;
}

/** What those `.gitignore` files covered then that say something else now: git is asked in a folder that has only them. */
async function ignoredThen(
  tree: FileTree,
  changes: readonly FileChange[],
  read: ReadObjects,
): Promise<readonly string[]> {
  const rules = changes
    .filter(({ path, to }) => /(?:^|\/)\.gitignore$/.test(path) && isSafePath(path) && to.kind !== "absent")
    .map(({ path, to }) => ({ path, side: to }));
  const made = changes.flatMap(({ path, to }) => (to.kind === "absent" ? [path] : []));
  if (rules.length === 0 || made.length === 0) return [];
  const top = join(tree.folder, "ignored");
  const ownRepository = join(top, ".git");
  const contents = await readSides(tree, rules, read);
  rmSync(top, { recursive: true, force: true });
  try {
    makeRepository(ownRepository, []);
    for (const { path, side } of rules) {
      mkdirSync(dirname(join(top, path)), { recursive: true });
      writeFileSync(join(top, path), contents.get(side) ?? "");
    }
    const { records, reason } = await runGit({
      ...tree.command,
      top,
      args: ["check-ignore", "-z", "--stdin", "--no-index"],
      ownRepository,
      input: made.map((path) => `./${path}\0`).join(""),
    });
    if (records !== undefined) return records.map((path) => path.slice(2));
    if (reason === NONE_IGNORED) return [];
    throw new Error(reason);
  } finally {
    rmSync(top, { recursive: true, force: true });
  }
}

const NONE_IGNORED = "git check-ignore ended with status 1";
