import { mirrorLag } from "../../project/keeping/mirror.ts";
import type { Project } from "../../project/project.ts";
import { count } from "../view/words.ts";
import { type DoctorFinding, ok, warning } from "./finding.ts";

/** The copy of the store outside of the project: how far it lags, if there is one. */
export async function checkMirror(project: Project): Promise<DoctorFinding[]> {
  if (project.shared !== undefined) return [];
  // If the store cannot be opened, its own finding says why.
  const lag = await mirrorLag(project).catch(() => undefined);
  if (lag === undefined) return [];
  if (lag.commits <= 0) return [ok("mirror", `up to date in ${lag.file}`)];
  return [warning("mirror", `The mirror lacks ${count(lag.commits, "commit")}.`, "checkpoint mirror")];
}
