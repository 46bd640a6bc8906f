import type { Governance } from "../../governance/gate/governance.ts";
import { CheckpointError } from "../../errors.ts";
import type { Opening, Project } from "../project.ts";
import { isGoverned } from "../what-is-on.ts";
import { governanceOf } from "./governance-of.ts";

/** The ledger and gate of a governed project, as they are now. */
export async function openGovernance(project: Project, opening: Opening = "write"): Promise<Governance> {
  const cairn = await project.stores.open(project, opening, null);
  if (!(await isGoverned(project, cairn)))
    throw new CheckpointError("usage", "This project is not governed.", {
      hint: 'Put "governance: on" into cairn.yaml. What that means: checkpoint help governance',
    });
  const governance = await governanceOf(project, cairn);
  await governance.ledger.refresh();
  return governance;
}
