import type { Project } from "../../../work/project/project.ts";
import { remoteLags, type RemoteLag } from "../remotes/remote-lag.ts";
import { count } from "../../../work/state/words.ts";
import { type DoctorFinding, ok, warning } from "../../../work/project/finding.ts";

/** How far each remote lags, by what this machine last saw there: doctor sends nothing. */
export async function checkRemotes(project: Project): Promise<DoctorFinding[]> {
  try {
    return (await remoteLags(project)).map(lagging);
  } catch (error) {
    // If the store cannot be opened, nobody knows its remotes, and its own finding says why.
    const isOpen = await project.stores.open(project, "read").catch(() => undefined);
    if (isOpen === undefined) return [];
    const what = `Cannot tell how far the remotes lag: ${(error as Error).message}`;
    return [warning("remote", what, "checkpoint remote list")];
  }
}

function lagging({ remote, trails, checkpoints, synced_at }: RemoteLag): DoctorFinding {
  const since = synced_at === null ? "never synced" : `last synced ${synced_at}`;
  if (trails === 0) return ok("remote", `${remote} has everything that is here (${since})`);
  const what = `${count(checkpoints, "checkpoint")} of ${count(trails, "trail")}`;
  return warning("remote", `${remote} lacks ${what} (${since}).`, `checkpoint push --remote ${remote}`);
}
