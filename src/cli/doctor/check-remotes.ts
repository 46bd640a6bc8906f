import type { Project } from "../../project/project.ts";
import { remoteLags } from "../../project/remotes/remote-lag.ts";
import { count } from "../../text/words.ts";
import { type DoctorFinding, ok, warning } from "./finding.ts";

/** How far each remote lags, by what this machine last saw there: doctor sends nothing. */
export async function checkRemotes(project: Project): Promise<DoctorFinding[]> {
  // If the store cannot be opened, its own finding says why.
  const lags = await remoteLags(project).catch(() => []);
  return lags.map(({ remote, trails, checkpoints, synced_at }) => {
    const since = synced_at === null ? "never synced" : `last synced ${synced_at}`;
    if (trails === 0) return ok("remote", `${remote} has everything that is here (${since})`);
    const what = `${count(checkpoints, "checkpoint")} of ${count(trails, "trail")}`;
    return warning("remote", `${remote} lacks ${what} (${since}).`, `checkpoint push --remote ${remote}`);
  });
}
