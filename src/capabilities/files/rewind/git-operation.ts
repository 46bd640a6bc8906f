import { existsSync } from "node:fs";
import { join } from "node:path";
import { CheckpointError } from "../../../core/errors.ts";
import { findGit } from "../../../work/capture/git/git-head.ts";

const UNDER_WAY: Readonly<Record<string, string>> = {
  "rebase-merge": "a rebase",
  "rebase-apply": "a rebase",
  MERGE_HEAD: "a merge",
  CHERRY_PICK_HEAD: "a cherry-pick",
  REVERT_HEAD: "a revert",
  sequencer: "a cherry-pick or a revert",
};

/** Git counts on the files that it left for the person to finish with. */
export function refuseDuringGit(root: string): void {
  const git = findGit(root);
  const found = git && Object.keys(UNDER_WAY).find((name) => existsSync(join(git.gitDir, name)));
  if (found === undefined) return;
  throw new CheckpointError("refused", `Files are not brought back during ${UNDER_WAY[found]}.`, {
    hint: "Finish it with git first, then try again.",
    details: { found },
  });
}
