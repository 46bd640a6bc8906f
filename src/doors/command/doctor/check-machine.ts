import { accessSync, constants, existsSync, statfsSync, statSync } from "node:fs";
import { join } from "node:path";
import { findGit } from "../../../work/capture/git/git-head.ts";
import { isOnPath } from "../../../work/project/on-path.ts";
import { missingNode } from "../../../work/project/known-node.ts";
import type { Project } from "../../../work/project/project.ts";
import type { Context } from "../../../work/terminal/context.ts";
import { bytes } from "../../../work/state/words.ts";
import { type DoctorFinding, note, ok, problem, warning } from "../../../work/project/finding.ts";

/** Where a client finds a Node that is too old, the launcher falls back to the one that `init` recorded. */
export function checkNode({ runtime, env }: Context): DoctorFinding {
  const gone = missingNode({ env });
  if (gone !== undefined)
    return warning("node", `The Node that hooks fall back to is gone: ${gone}`, "checkpoint init");
  return ok("node", `Node ${runtime.node} with SQLite ${runtime.sqlite} (${runtime.executable})`);
}

const LITTLE_BYTES = 200_000_000;

export function checkDisk(project: Project): DoctorFinding {
  const { bavail, bsize } = statfsSync(project.root);
  const free = bavail * bsize;
  if (free >= LITTLE_BYTES) return ok("disk", `${bytes(free)} free`);
  const message = `Only ${bytes(free)} is free on the disk of ${project.root}.`;
  return warning("disk", message, "Free some disk space.");
}

/** Whether the store belongs to another user: then nothing in it can be told. */
export function isForeign({ folder, machine }: Pick<Project, "folder" | "machine">): boolean {
  const owner = statSync(folder, { throwIfNoEntry: false })?.uid;
  return owner !== undefined && machine.userId !== undefined && owner !== machine.userId;
}

export function checkFolder({ root, folder, machine }: Project): DoctorFinding {
  const found = statSync(folder, { throwIfNoEntry: false });
  if (found === undefined) {
    if (isWritable(root)) return note("folder", `There is no ${folder} yet.`, "checkpoint now");
    const message = `${root} cannot be written, so nothing can be saved here.`;
    return problem("folder", message, `Make the folder writable for you: ls -ld ${root}`);
  }
  if (isForeign({ folder, machine }))
    return problem("folder", `${folder} belongs to another user.`, "Work in a folder of your own.");
  if (!isWritable(folder))
    return problem(
      "folder",
      `${folder} cannot be written.`,
      `Make it writable for you: chmod u+rwx ${folder}`,
    );
  if ((found.mode & 0o077) !== 0)
    return warning("folder", `Other users can read ${folder}.`, `chmod 700 ${folder}`);
  return ok("folder", `${folder} is yours alone`);
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

const KEEP_A_COPY = "checkpoint mirror";

export function checkGit({ env, root, folder }: Project, { isMirrored = false } = {}): DoctorFinding[] {
  const git = findGit(root);
  if (git === undefined)
    return [note("git", "Not a git repository: branch, commit and files are not recorded.")];
  const findings: DoctorFinding[] = [];
  if (!isOnPath({ env }, "git")) {
    const message = "There is no git on $PATH: files that were touched are not recorded.";
    findings.push(warning("git", message, "Install git."));
  }
  if (existsSync(folder) && !existsSync(join(folder, ".gitignore")))
    findings.push(warning("git", `${folder} is not kept out of git.`, "checkpoint init"));
  // What git would take along is in the mirror too.
  if (isMirrored) return findings;
  if (git.gitDir !== git.commonDir)
    findings.push(
      note("worktree", "This is a git worktree: removing it removes its checkpoints.", KEEP_A_COPY),
    );
  const cleaning = "git clean -x would remove the store, as it removes everything ignored.";
  return [...findings, note("clean", cleaning, KEEP_A_COPY)];
}
