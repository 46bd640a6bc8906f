import type { JsonObject } from "../../../core/objects/json.ts";
import { keyFingerprint, isSignedBy, statementText, type Signer } from "../keys/signature.ts";
import type { Decreed, EntryOf, LedgerEntry } from "./entry.ts";
import type { GovernanceState } from "./governance-state.ts";

/** Whose statements count. */
export interface LedgerTrust {
  readonly storeId: string;
  /** The fingerprint of the authority's first key, as this user accepted it; an auditor takes any and shows it. */
  readonly authority: string | undefined;
}

export const ANY_AUTHORITY = "any";

/** Signs an entry, so that it goes after all that the authority signed before. */
export async function signDecree(storeId: string, unsigned: JsonObject, signer: Signer): Promise<JsonObject> {
  const key = keyFingerprint(signer.publicKey);
  const signature = await signer.sign(statementText(storeId, { ...unsigned, authority: { key } }));
  return { ...unsigned, authority: { key, signature } };
}

/** Why the authority did not say this now; undefined if it did. */
export function whyNotDecreed(
  state: GovernanceState,
  { storeId, authority }: LedgerTrust,
  entry: LedgerEntry,
): string | undefined {
  const { serial } = entry as Partial<Decreed>;
  if (serial !== state.serial + 1) return "it is not the authority's next statement";
  const isFirst = state.authority.length === 0;
  if (isFirst && (state.founder ?? keyOf(entry)) !== keyOf(entry))
    return "another key was the authority before";
  if (isFirst && authority !== ANY_AUTHORITY && authority !== keyOf(entry))
    return "you have not accepted this authority key";
  const signer = state.authority.at(-1) ?? (entry.type === "authority" ? entry : undefined);
  return isDecreedBy(signer, storeId, entry) ? undefined : "the authority key did not sign it";
}

/**
 * Whether an entry that was accepted before is really the authority's: seals carry entries, and whoever can read the
 * machine's key can write seals. A key counts for what it signed while it was the newest.
 */
export function isDecreed({ authority }: GovernanceState, storeId: string, entry?: LedgerEntry): boolean {
  const { serial } = (entry ?? {}) as Partial<Decreed>;
  if (entry === undefined || serial === undefined) return false;
  const signer = authority.findLast((key) => key.serial < serial) ?? authority[0];
  return isDecreedBy(signer, storeId, entry);
}

/** Remembers the first key that calls itself the authority, and can sign: whoever comes later cannot take its place. */
export function noteFounder(state: GovernanceState, storeId: string, entry: LedgerEntry): void {
  if (entry.type !== "authority" || state.founder !== undefined) return;
  if (isDecreedBy(entry, storeId, entry)) state.founder = entry.authority.key;
}

const keyOf = (entry: LedgerEntry) => (entry as Partial<Decreed>).authority?.key;

/** A signature takes 0.2 ms to check, so each is checked once. */
const checked = new WeakMap<LedgerEntry, string>();

function isDecreedBy(signer: EntryOf<"authority"> | undefined, storeId: string, entry: LedgerEntry): boolean {
  const { authority } = entry as Partial<Decreed>;
  if (signer === undefined || authority === undefined) return false;
  const text = statementText(storeId, entry as unknown as JsonObject);
  const proof = `${signer.public_key}\n${authority.signature}\n${text}`;
  if (checked.get(entry) === proof) return true;
  // A key that cannot be read has signed nothing, so it is asked first.
  const isSigned =
    isSignedBy(signer.public_key, text, authority.signature) &&
    keyFingerprint(signer.public_key) === authority.key;
  if (isSigned) checked.set(entry, proof);
  return isSigned;
}
