import { isCheckpointError } from "../../../core/errors.ts";
import type { UnfinishedStart } from "../../../work/project/gate.ts";
import { hasStore } from "../../../work/project/find-project.ts";
import { openGovernance } from "../project-gate/open-governance.ts";
import type { Project } from "../../../work/project/project.ts";
import { isGoverned } from "../../../work/project/gate.ts";

/** Commands of `exec` that were started and have no end. Of a ledger that is not whole, `ledger verify` tells more. */
export async function unfinishedStarts(project: Project): Promise<UnfinishedStart[]> {
  if (!hasStore(project)) return [];
  try {
    if (!(await isGoverned(project, await project.stores.open(project, "read", null)))) return [];
    const { state } = (await openGovernance(project, "read")).ledger;
    return Object.values(state.starts ?? {});
  } catch (error) {
    if (isCheckpointError(error, "corrupt")) return [];
    throw error;
  }
}
