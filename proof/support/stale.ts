import { spawnSync } from "node:child_process";

/** The files below these paths that are not as they were at a commit; undefined if that commit is not known here. */
export type ChangedSince = (commit: string, paths: readonly string[]) => readonly string[] | undefined;

/** The page is a table: a row that names every file is not read. */
const MOST_NAMED = 3;

/** Why a result says nothing about the sources as they are now; undefined if it still does. */
export function whyStale(
  commit: string,
  proves: readonly string[],
  changedSince: ChangedSince,
): string | undefined {
  if (commit.endsWith("+")) return "it was run for sources that were never committed";
  const files = changedSince(commit, proves);
  if (files === undefined) return `commit ${commit} is not in this history`;
  const changed = proves.filter((path) => files.some((file) => file === path || file.startsWith(`${path}/`)));
  if (changed.length === 0) return undefined;
  const more = changed.length > MOST_NAMED ? ` and ${changed.length - MOST_NAMED} more` : "";
  return `${changed.slice(0, MOST_NAMED).join(", ")}${more} changed since`;
}

/** Asks git, for the sources as they are, committed or not. Tests beside them change nothing that is proved. */
export const changedInGit: ChangedSince = (commit, paths) => {
  const without = [":(exclude)*.test.ts", ":(exclude)*.md"];
  const args = ["diff", "--name-only", commit, "--", ...paths, ...without];
  const { status, stdout } = spawnSync("git", args, { encoding: "utf8" });
  return status === 0 ? stdout.split("\n").filter((line) => line !== "") : undefined;
};
