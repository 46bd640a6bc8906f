import type { Cairn } from "../../checkpoints/cairn.ts";
import type { Governance } from "../../governance/gate/governance.ts";
import { ledgers } from "../open-gates.ts";
import type { Project } from "../project.ts";

/** The ledger and gate of an open store, read once. */
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
