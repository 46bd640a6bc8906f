import { isCheckpointError } from "../../core/errors.ts";
import { type DoctorCheck, type DoctorFinding, problem, warning } from "../../work/project/finding.ts";
import { unfinishedWords } from "../../work/project/gate.ts";
import type { Project } from "../../work/project/project.ts";
import { checkKeys } from "./verbs/check-keys.ts";
import { unfinishedStarts } from "./verbs/unfinished.ts";

/** What this machine keeps for a governed project, and commands that have no end. */
export const doctor: DoctorCheck = async (project) => {
  // If the store cannot be opened, nobody knows whether it is governed, and its own finding says why.
  if ((await project.stores.open(project, "read", null).catch(() => undefined)) === undefined) return [];
  const torn = await keys(project);
  if (torn.length > 0) return torn;
  const starts = await unfinishedStarts(project);
  return starts.map((start) => warning("exec", unfinishedWords(start), "checkpoint ledger --type start"));
};

/** Its key and its pin must be whole: without them nothing can be saved. */
async function keys(project: Project): Promise<DoctorFinding[]> {
  try {
    await checkKeys(project);
    return [];
  } catch (error) {
    if (!isCheckpointError(error)) throw error;
    return [problem("keys", error.message, error.hint ?? "checkpoint ledger verify")];
  }
}
