import { Ledger, type LedgerOptions } from "../ledger/ledger.ts";
import type { Store } from "../../../core/store/contract.ts";
import type { Project } from "../../../work/project/project.ts";
import { sharingAgents } from "./share-agents.ts";

/** The ledger of a store, as the user of this project sees it. The cache is told what it says of agents, if there is one. */
export async function openLedger(
  project: Project,
  store: Store,
  options: Pick<LedgerOptions, "isUnpinned"> = {},
): Promise<Ledger> {
  const { env, machine, now } = project;
  const own = { owner: { env, userId: machine.userId }, now };
  return Ledger.open(await sharingAgents(project, store, own), { ...own, ...options });
}
