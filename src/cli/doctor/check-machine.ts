import { accessSync, constants, existsSync, statfsSync, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import { findGit } from "../../capture/git/git-location.ts";
import type { Context } from "../context.ts";
import type { Project } from "../../project/project.ts";
import { bytes } from "../view/words.ts";
import { type Finding, note, ok, problem, warning } from "./finding.ts";

/** Node: what it is, and whether it is one that the store can rely on. The launcher refuses older ones. */
export function checkNode({ runtime }: Context): Finding {
  return ok("node", `Node ${runtime.node} with SQLite ${runtime.sqlite} (${runtime.executable})`);
}

const LITTLE_BYTES = 200_000_000;

export function checkDisk({ root }: Project): Finding {
  const { bavail, bsize } = statfsSync(root);
  const free = bavail * bsize;
  if (free < LITTLE_BYTES)
    return warning("disk", `Only ${bytes(free)} are free on the disk of ${root}.`, "Free some disk space.");
  return ok("disk", `${bytes(free)} free`);
}

export function checkFolder({ root, folder, machine }: Project): Finding[] {
  if (!existsSync(folder)) {
    return isWritable(root)
      ? [note("folder", `There is no ${folder} yet.`, "checkpoint now")]
      : [
          problem(
            "folder",
            `${root} cannot be written, so nothing can be saved here.`,
            `Make the folder writable for you: ls -ld ${root}`,
          ),
        ];
  }
  const { mode, uid } = statSync(folder);
  const isMine = machine.userId === undefined || uid === machine.userId;
  if (!isMine)
    return [problem("folder", `${folder} belongs to another user.`, "Work in a folder of your own.")];
  if (!isWritable(folder))
    return [
      problem("folder", `${folder} cannot be written.`, `Make it writable for you: chmod u+rwx ${folder}`),
    ];
  if ((mode & 0o077) !== 0)
    return [warning("folder", `Others may look into ${folder}.`, `chmod 700 ${folder}`)];
  return [ok("folder", `${folder} is yours alone`)];
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Git: whether it can be asked, and what it could do to the store. */
export function checkGit({ env }: Context, { root, folder }: Project): Finding[] {
  const location = findGit(root);
  if (location === undefined)
    return [note("git", "Not a git repository: branch, commit and files are not recorded.")];
  const findings: Finding[] = [];
  const path = (env["PATH"] ?? "").split(delimiter);
  const hasGit = path.some(
    (entry) => entry !== "" && (existsSync(join(entry, "git")) || existsSync(join(entry, "git.exe"))),
  );
  if (!hasGit)
    findings.push(
      warning("git", "There is no git on $PATH: files that were touched are not recorded.", "Install git."),
    );
  if (existsSync(folder) && !existsSync(join(folder, ".gitignore"))) {
    findings.push(warning("git", `${folder} is not kept out of git.`, "checkpoint init"));
  }
  if (location.gitDir !== location.commonDir) {
    findings.push(
      note(
        "worktree",
        "This is a git worktree: removing it removes its checkpoints.",
        "checkpoint export --history --output FILE",
      ),
    );
  }
  findings.push(
    note(
      "clean",
      "git clean -x would remove the store, as it removes everything ignored.",
      "checkpoint export --history --output FILE",
    ),
  );
  return findings;
}
