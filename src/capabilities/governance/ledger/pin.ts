import { writePrivate } from "../../../core/store/write-private.ts";
import { shellWord } from "../../../core/text/shell-word.ts";
import { asRecord, parseJson } from "../../../core/text/untrusted.ts";
import { headText, isSignedBy, type LedgerHead, type Signature } from "../keys/signature.ts";
import { damaged, readPrivate, stateFile, type KeyOwner } from "../keys/key-file.ts";
import { pinFile } from "../../../work/project/pin-file.ts";
import type { MachineKey } from "../keys/machine-key.ts";

/**
 * What this user knows of a store's ledger, outside of the project: whose authority counts, and how far the ledger went.
 * It may lag, because a commit does not wait for it; it never runs ahead. Whoever can write here can also use the
 * machine's key: docs/security.md says what that means.
 */
export interface Pin {
  /** The fingerprint of the authority's first key. */
  readonly authority?: string;
  /** How far the ledger went, signed by the machine. */
  readonly head?: LedgerHead & Signature;
  /** The entry that holds the newest seal. */
  readonly sealed?: number;
}

/** An unsigned or foreign head counts as none: it would be a way to lock the user out. */
export function readPin(owner: KeyOwner, storeId: string, key: () => MachineKey): Pin {
  const path = pathOf(owner, storeId);
  const text = readPrivate(path, owner);
  if (text === undefined) return {};
  const pin = asRecord(parseJson(text)) as Pin | undefined;
  if (pin === undefined) throw damaged(path, "What this machine knows of the ledger", damagedHint(path));
  const { head } = pin;
  const isOwn = head !== undefined && isSignedBy(key().publicKey, headText(storeId, head), head.signature);
  return isOwn ? pin : pin.authority === undefined ? {} : { authority: pin.authority };
}

export function writePin(owner: KeyOwner, storeId: string, pin: Pin): void {
  writePrivate(pathOf(owner, storeId), `${JSON.stringify(pin)}\n`);
}

const damagedHint = (path: string) =>
  `Bring it back from a backup, or move it away:\nmv ${shellWord(path)} ${shellWord(`${path}.damaged`)}\nThen check the ledger, and accept its authority if it is yours:\ncheckpoint ledger verify\ncheckpoint authority trust FINGERPRINT`;

const pathOf = (owner: KeyOwner, storeId: string) =>
  pinFile(owner, storeId) ?? stateFile(owner, "governance", storeId);
