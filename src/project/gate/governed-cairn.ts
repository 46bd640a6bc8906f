import { Cairn } from "../../checkpoints/cairn.ts";
import type { Admission, Governance } from "../../governance/gate/governance.ts";
import { gates, ledgers } from "../open-gates.ts";
import type { Project } from "../project.ts";

/** The same store, where every commit asks the gate. */
export async function governedCairn(
  project: Project,
  cairn: Cairn,
  action: string | Admission,
): Promise<Cairn> {
  const { governCairn } = await import("./govern-cairn.ts");
  const governed = await governCairn(project, await governanceOf(project, cairn), action);
  const own = new Cairn(governed.store, project.now);
  gates.set(own, governed);
  return own;
}

/** The ledger of an open store, read once. */
export function governanceOf(project: Project, cairn: Cairn): Promise<Governance> {
  const opened = ledgers.get(cairn) ?? openGovernance(project, cairn);
  ledgers.set(cairn, opened);
  return opened;
}

async function openGovernance(project: Project, { store }: Cairn): Promise<Governance> {
  const { openLedger } = await import("./open-ledger.ts");
  const { sharingAgents } = await import("./share-agents.ts");
  const { Governance: Gatekeeper } = await import("../../governance/gate/governance.ts");
  return new Gatekeeper(await openLedger(project, await sharingAgents(project, store)));
}
