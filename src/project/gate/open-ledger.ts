import { Ledger, type LedgerOptions } from "../../governance/ledger/ledger.ts";
import type { Store } from "../../store/contract.ts";
import type { Project } from "../project.ts";

/** The ledger of a store, as the user of this project sees it. */
export const openLedger = (
  { env, machine, now }: Project,
  store: Store,
  options: Pick<LedgerOptions, "isUnpinned"> = {},
): Promise<Ledger> => Ledger.open(store, { owner: { env, userId: machine.userId }, now, ...options });
