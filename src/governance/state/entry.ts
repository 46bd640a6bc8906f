import type { JsonObject } from "../../objects/json.ts";
import type { LedgerHead, LogHead, Signature } from "../keys/signature.ts";
import type { Policy, Risk, Tier } from "../policy/policy.ts";

/** What every entry of the ledger says. `agent` is an agent's id, or `person`. */
type Said<Type extends string> = { readonly type: Type; readonly at: string; readonly agent: string };

/**
 * What the authority key signs besides: how many of its statements came before, so that none counts twice, and where
 * the ledger stood, so that nothing before it can be rewritten.
 */
export type Decreed = { readonly serial: number; readonly on: LogHead; readonly authority: Signature };

/** Something was done, or for `exec` begun. Written in the same commit. */
export type ActionEntry = Said<"action"> & {
  readonly tier: Tier;
  /** Whether the agent showed its token. */
  readonly attested: boolean;
  readonly action: string;
  readonly risk?: Risk | undefined;
  readonly trail?: string;
  /** The hash of the checkpoint that the same commit saved. */
  readonly checkpoint?: string;
  /** The approval that it used up. */
  readonly approval?: string | undefined;
  /** The digest of the plan that is applied. */
  readonly digest?: string | undefined;
};

/** A rule was broken, or somebody tried. */
export type ViolationEntry = Said<"violation"> & {
  readonly rule: string;
  readonly what: string;
  readonly action?: string | undefined;
  /** The entry of the ledger that was forged, and the trail whose chain it is in. */
  readonly entry?: number | undefined;
  readonly trail?: string | undefined;
};

/** The token is kept as its SHA-256. */
type RegistrationEntry = Said<"registration"> & { readonly token: string };
export type PromotionEntry = Said<"promotion"> & {
  readonly from: Tier;
  readonly to: Tier;
  readonly by: "rule" | "authority";
} & Partial<Decreed>;
type RevocationEntry = Said<"revocation"> & { readonly by: string; readonly reason: string };
type DemotionEntry = Omit<RevocationEntry, "type"> & { readonly type: "demotion"; readonly to: Tier };
type RestorationEntry = Said<"restoration"> & { readonly to: Tier } & Decreed;

/** An action that needs approval, as it was asked for. */
export type RequestEntry = Said<"request"> & {
  readonly id: string;
  readonly action: string;
  readonly alias?: string | undefined;
  readonly digest?: string | undefined;
  readonly reasons: readonly string[];
};
export type ApprovalEntry = Said<"approval"> & {
  readonly request: string;
  readonly action: string;
  readonly alias?: string | undefined;
  readonly digest?: string | undefined;
  readonly expires: string;
} & Partial<Decreed>;

export type PolicyEntry = Said<"policy"> & { readonly policy: Policy; readonly file: string } & Decreed;
export type AuthorityEntry = Said<"authority"> & { readonly public_key: string } & Decreed;

/** The machine's signature of the ledger up to an entry, with what follows from it, so that nobody reads it all again. */
export type SealEntry = Said<"seal"> & {
  readonly on: LedgerHead;
  readonly public_key: string;
  readonly state: JsonObject;
  readonly machine: Signature;
};
export type TaskEntry = Said<"task"> & {
  readonly trail: string;
  readonly task: string;
  readonly status: string;
  readonly subject: string;
};
export type EvidenceEntry = Said<"evidence"> & {
  readonly evidence: string;
  readonly action: string;
  readonly digest: string;
  readonly success: boolean;
};

export type LedgerEntry =
  | ActionEntry
  | ViolationEntry
  | RegistrationEntry
  | PromotionEntry
  | DemotionEntry
  | RevocationEntry
  | RestorationEntry
  | RequestEntry
  | ApprovalEntry
  | PolicyEntry
  | AuthorityEntry
  | SealEntry
  | TaskEntry
  | EvidenceEntry;
