import { asRecord, parseJson } from "../../text/untrusted.ts";
import { headText, isSignedBy, type LedgerHead, type Signature } from "../keys/signature.ts";
import { readPrivate, stateFile, writePrivate, type KeyOwner } from "../keys/key-file.ts";
import { pinFile } from "./pin-file.ts";
import type { MachineKey } from "../keys/machine-key.ts";

/**
 * What this user knows of a store's ledger, outside of the project: whose authority counts, and how far the ledger went.
 * It may lag, because writing it waits for no disk; it never runs ahead. Whoever can write here can also use the
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
  const text = readPrivate(pathOf(owner, storeId), owner);
  if (text === undefined) return {};
  const pin = (asRecord(parseJson(text)) ?? {}) as Pin;
  const { head } = pin;
  const isOwn = head !== undefined && isSignedBy(key().publicKey, headText(storeId, head), head.signature);
  return isOwn ? pin : pin.authority === undefined ? {} : { authority: pin.authority };
}

export function writePin(owner: KeyOwner, storeId: string, pin: Pin): void {
  writePrivate(pathOf(owner, storeId), `${JSON.stringify(pin)}\n`);
}

const pathOf = (owner: KeyOwner, storeId: string) =>
  pinFile(owner, storeId) ?? stateFile(owner, "governance", storeId);
