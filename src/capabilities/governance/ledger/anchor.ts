import { CheckpointError } from "../../../core/errors.ts";
import { asRecord, parseJson } from "../../../core/text/untrusted.ts";
import { keyFingerprint, headText, isSignedBy, type LedgerHead, type Signer } from "../keys/signature.ts";
import type { Ledger } from "./ledger.ts";

/** The signed head of a ledger, to be kept where nobody who writes the store can write. */
export type Anchor = LedgerHead & {
  readonly schema: "cairn/ledger-anchor@1";
  readonly store: string;
  readonly at: string;
  readonly public_key: string;
  readonly key: string;
  readonly signature: string;
  /** The fingerprints of the authority's keys, the newest last. */
  readonly authority: readonly string[];
};

/** How far the ledger goes now, signed by the machine, or by a key that is passed in. */
export async function anchorLedger(ledger: Ledger, signer?: Signer): Promise<Anchor> {
  await ledger.pinHead();
  const { head, storeId, key, state, at } = ledger;
  const text = headText(storeId, head);
  const publicKey = signer?.publicKey ?? key.publicKey;
  const signature = signer === undefined ? key.sign(text).signature : await signer.sign(text);
  return {
    schema: "cairn/ledger-anchor@1",
    store: storeId,
    ...head,
    at,
    public_key: publicKey,
    key: keyFingerprint(publicKey),
    signature,
    authority: state.authority.map(({ public_key }) => keyFingerprint(public_key)),
  };
}

/** Reads an anchor as it was written. Whether it is the right one, only its keeper knows. */
export function parseAnchor(text: string): Anchor {
  const anchor: Partial<Anchor> = asRecord(parseJson(text)) ?? {};
  const { schema, store = "", number = 0, hash = "", trails, public_key = "", signature } = anchor;
  const isWhole =
    schema === "cairn/ledger-anchor@1" &&
    isSignedBy(public_key, headText(store, { number, hash, trails }), signature);
  if (isWhole) return anchor as Anchor;
  throw new CheckpointError("usage", "This is not an anchor, or it was changed.", {
    hint: "checkpoint ledger anchor > anchor.json",
  });
}
