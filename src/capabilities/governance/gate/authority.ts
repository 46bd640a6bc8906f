import { CheckpointError } from "../../../core/errors.ts";
import type { JsonObject } from "../../../core/objects/json.ts";
import { keyFingerprint, type Signer } from "../keys/signature.ts";
import { signDecree, whyNotDecreed } from "../state/decrees.ts";
import type { LedgerEntry } from "../state/entry.ts";
import type { Governance } from "./governance.ts";

/** What the authority is asked to sign: for one store, after one entry. Somebody else may sign it, elsewhere. */
export type Statement = {
  readonly store: string;
  /** The fingerprint of the key that has to sign it: whoever signs may have several. */
  readonly key?: string | undefined;
  readonly statement: JsonObject;
};

/** Words a statement for the ledger as it stands. It counts only if no other statement comes first. */
export async function draftStatement({ ledger }: Governance, said: JsonObject): Promise<Statement> {
  await ledger.refresh();
  const { state, tail, storeId, at } = ledger;
  const statement = { ...said, at, serial: state.serial + 1, on: { ...tail } };
  return { store: storeId, key: currentKey(ledger), statement };
}

export async function signStatement(
  { store, key, statement }: Statement,
  signer: Signer,
): Promise<Statement> {
  return { store, ...(key && { key }), statement: await signDecree(store, statement, signer) };
}

/** The fingerprint of the authority's key that counts now; undefined while there is none. */
export function currentKey({ state }: Governance["ledger"]): string | undefined {
  const newest = state.authority.at(-1);
  return newest && keyFingerprint(newest.public_key);
}

/** Appends what the authority signed, or says why it does not count. */
export async function submitStatement(governance: Governance, signed: Statement): Promise<LedgerEntry> {
  const entry = signed.statement as unknown as LedgerEntry;
  await governance.append(({ state, trust, storeId }) => {
    const why = signed.store === storeId ? whyNotDecreed(state, trust, entry) : "it is for another store";
    if (why !== undefined)
      throw new CheckpointError("refused", `This does not count: ${why}.`, {
        hint: "checkpoint authority show",
        details: { refused: true },
      });
    return [entry];
  });
  return entry;
}

/** Words, signs and appends in one go. */
export async function decree(governance: Governance, said: JsonObject, signer: Signer): Promise<LedgerEntry> {
  return submitStatement(governance, await signStatement(await draftStatement(governance, said), signer));
}

/** Makes a key the store's authority: the first one by being there first, a later one by the word of the one before. */
export async function establishAuthority(
  governance: Governance,
  next: Signer,
  current: Signer | undefined,
): Promise<string> {
  const { ledger } = governance;
  await ledger.refresh();
  const fingerprint = keyFingerprint(next.publicKey);
  if (ledger.state.authority.length === 0) await ledger.trustAuthority(fingerprint);
  const said = { type: "authority", agent: "person", public_key: next.publicKey };
  await decree(governance, said, current ?? next);
  return fingerprint;
}
