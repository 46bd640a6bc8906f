import type { Anchor } from "../ledger/anchor.ts";
import { anchorLedger } from "../ledger/anchor.ts";
import { exportLedger } from "../ledger/export-ledger.ts";
import { limitsOf, verifyLedger, type LedgerReport } from "../ledger/verify-ledger.ts";
import { queryLedger, type LedgerQuery, type ShownEntry } from "../ledger/query-ledger.ts";
import type { Signer } from "../keys/signature.ts";
import { ANY_AUTHORITY } from "../state/decrees.ts";
import { readPin } from "../ledger/pin.ts";
import { machineKey } from "../keys/machine-key.ts";
import type { ObjectId } from "../../../core/objects/object-id.ts";
import type { Project } from "../../../work/project/project.ts";
import { openGovernance } from "../project-gate/open-governance.ts";

/** An entry, and for a refusal how often the same was refused again since: that is counted beside the ledger. */
export type CountedEntry = ShownEntry & { readonly refused_again?: number };

/** Entries of the ledger, the newest last. */
export async function ledger(project: Project, query: LedgerQuery): Promise<CountedEntry[]> {
  const { store } = await project.stores.open(project, "read", null);
  const entries = await queryLedger(store, query);
  const counting = entries.map(countingOf).filter((id) => id !== undefined);
  if (counting.length === 0) return entries;
  const { repeatsOf } = await import("../gate/refusals.ts");
  const repeats = await repeatsOf(store, counting);
  return entries.map((shown) => {
    const refused_again = repeats.get(countingOf(shown) ?? ("" as ObjectId));
    return refused_again === undefined ? shown : { ...shown, refused_again };
  });
}

const countingOf = ({ entry, problem }: ShownEntry) =>
  problem === undefined && entry["type"] === "violation"
    ? (entry["checkpoint"] as ObjectId | undefined)
    : undefined;

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
