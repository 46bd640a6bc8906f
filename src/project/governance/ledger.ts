import type { Anchor } from "../../governance/ledger/anchor.ts";
import { anchorLedger } from "../../governance/ledger/anchor.ts";
import { exportLedger } from "../../governance/ledger/export-ledger.ts";
import { limitsOf, verifyLedger, type LedgerReport } from "../../governance/ledger/verify-ledger.ts";
import { queryLedger, type LedgerQuery, type ShownEntry } from "../../governance/ledger/query-ledger.ts";
import type { Signer } from "../../governance/keys/signature.ts";
import { ANY_AUTHORITY } from "../../governance/state/decrees.ts";
import { readPin } from "../../governance/ledger/pin.ts";
import { machineKey } from "../../governance/keys/machine-key.ts";
import type { Project } from "../project.ts";
import { openGovernance } from "../gate/open-governance.ts";

/** Entries of the ledger, the newest last. */
export async function ledger(project: Project, query: LedgerQuery): Promise<ShownEntry[]> {
  const { store } = await project.stores.open(project, "read", null);
  return queryLedger(store, query);
}

export interface LedgerVerified extends LedgerReport {
  readonly limits: string;
}

/** Checks the whole ledger. Works on a ledger that the gate refuses to go on with: that is when it is needed. */
export async function ledgerVerify(project: Project, anchors: readonly Anchor[]): Promise<LedgerVerified> {
  const { store } = await project.stores.open(project, "read", null);
  const { id: storeId } = await store.identity();
  const owner = { env: project.env, userId: project.machine.userId };
  const pin = readPin(owner, storeId, () => machineKey(owner));
  const trust = { storeId, authority: pin.authority ?? ANY_AUTHORITY };
  const known = pin.head === undefined ? [] : [{ ...pin.head, store: storeId } as Anchor];
  const report = await verifyLedger(store, trust, [...known, ...anchors]);
  return { ...report, limits: limitsOf(report, anchors.length > 0) };
}

export async function ledgerAnchor(project: Project, signer?: Signer): Promise<Anchor> {
  return anchorLedger((await openGovernance(project, "read")).ledger, signer);
}

/** The ledger as lines of JSON. */
export async function ledgerExport(project: Project): Promise<AsyncGenerator<string>> {
  return exportLedger((await openGovernance(project, "read")).ledger);
}
