import { mirrorLag } from "../verbs/mirror.ts";
import { mirrorOfLost } from "../mirror/mirror-folders.ts";
import { unrestoredMirror } from "../mirror/unrestored-mirror.ts";
import type { Project } from "../../../work/project/project.ts";
import { count } from "../../../work/state/words.ts";
import { type DoctorFinding, ok, warning } from "../../../work/project/finding.ts";

/** The mirrors: how far that of this store lags, and whether an earlier, lost store has one. */
export async function checkMirror(project: Project): Promise<DoctorFinding[]> {
  if (project.shared !== undefined) return [];
  return [...(await checkLag(project)), ...(await checkLost(project))];
}

async function checkLag(project: Project): Promise<DoctorFinding[]> {
  try {
    const lag = await mirrorLag(project);
    return lag === undefined ? [] : [lagging(lag)];
  } catch (error) {
    // Where this project never had a mirror, nothing lags.
    if (mirrorOfLost(project, project.root) === undefined) return [];
    const what = `Cannot tell how far the mirror lags: ${(error as Error).message}`;
    return [warning("mirror", what, "checkpoint mirror list")];
  }
}

function lagging({ file, commits }: { readonly file: string; readonly commits: number }): DoctorFinding {
  if (commits <= 0) return ok("mirror", `up to date in ${file}`);
  return warning("mirror", `The mirror lacks ${count(commits, "commit")}.`, "checkpoint mirror");
}

async function checkLost(project: Project): Promise<DoctorFinding[]> {
  try {
    const mirror = await unrestoredMirror(project);
    if (mirror === undefined) return [];
    const what = `An earlier store of this project is gone, but its mirror is there (${mirror.at.toISOString()}).`;
    return [warning("mirror", what, "checkpoint mirror restore")];
  } catch (error) {
    const what = `The mirror of an earlier store cannot be read: ${(error as Error).message}`;
    return [warning("mirror", what, "checkpoint mirror list")];
  }
}
