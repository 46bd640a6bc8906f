import type { Cairn } from "../../checkpoints/cairn.ts";
import type { Governance } from "../../governance/gate/governance.ts";
import { CheckpointError } from "../../errors.ts";
import type { Opening, Project } from "../project.ts";
import { isGoverned, governances } from "../what-is-on.ts";

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

/** The ledger and gate of an open store, read once. */
export function governanceOf(project: Project, cairn: Cairn): Promise<Governance> {
  const opened = governances.get(cairn) ?? readGovernance(project, cairn);
  governances.set(cairn, opened);
  return opened;
}

async function readGovernance(project: Project, { store }: Cairn): Promise<Governance> {
  const { openLedger } = await import("./open-ledger.ts");
  const { Governance: Gatekeeper } = await import("../../governance/gate/governance.ts");
  return new Gatekeeper(await openLedger(project, store));
}
