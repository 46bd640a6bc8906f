import type { JsonObject } from "../../../core/objects/json.ts";
import type { LogHead } from "../../../core/store/contract.ts";
import type { LedgerHead, Signature } from "../keys/signature.ts";
import type { Policy, Risk, Tier } from "../policy/policy.ts";

/**
 * What the authority key signs besides: how many of its statements came before, so that none counts twice, and where
 * the ledger stood, so that nothing before it can be rewritten.
 */
export type Decreed = { readonly serial: number; readonly on: LogHead; readonly authority: Signature };

/** What the gate is asked for, and what an approval is for. */
export type Asked = {
  readonly action: string;
  /** Another name that the same thing goes by: what both need is needed. */
  readonly alias?: string | undefined;
  /** The digest of the plan that would be applied. */
  readonly digest?: string | undefined;
};

/** What each type of entry says, besides when it was made and for whom. */
type Said = {
  /** Something was done, or for `exec` begun. Written in the same commit. */
  action: Omit<Asked, "alias"> & {
    readonly tier: Tier;
    /** Whether the agent showed its token. */
    readonly attested: boolean;
    readonly risk?: Risk | undefined;
    readonly trail?: string;
    /** The hash of the checkpoint that the same commit saved. */
    readonly checkpoint?: string;
    /** The approval that it used up. */
    readonly approval?: string | undefined;
    /** It does not count against the hour's budget: looking, stopping an agent and answering it are not rationed. */
    readonly free?: true | undefined;
  };
  /** A rule was broken, or somebody tried. */
  violation: {
    readonly rule: string;
    readonly what: string;
    readonly action?: string | undefined;
    /** For a refusal: the ledger's own checkpoint, whose record counts how often the same was refused again. */
    readonly checkpoint?: string | undefined;
    /** How often the same was refused after the entry before this one. */
    readonly repeats?: number | undefined;
    /** The entry of the ledger that was forged, and the trail whose chain it is in. */
    readonly entry?: number | undefined;
    readonly trail?: string | undefined;
  };
  /** The token is kept as its SHA-256. */
  registration: { readonly token: string };
  promotion: { readonly from: Tier; readonly to: Tier; readonly by: "rule" | "authority" } & Partial<Decreed>;
  demotion: { readonly to: Tier; readonly by: string; readonly reason: string };
  revocation: { readonly by: string; readonly reason: string };
  restoration: { readonly to: Tier } & Decreed;
  /** An action that needs approval, as it was asked for. */
  request: Asked & { readonly id: string; readonly reasons: readonly string[] };
  /** `by` says who gave it, where the authority did not sign it. */
  approval: Asked & {
    readonly request: string;
    readonly expires: string;
    readonly by?: string | undefined;
  } & Partial<Decreed>;
  policy: { readonly policy: Policy; readonly file: string } & Decreed;
  authority: { readonly public_key: string } & Decreed;
  /** The machine's signature of the ledger up to an entry, with what follows from it, so that nobody reads it all again. */
  seal: {
    readonly on: LedgerHead;
    readonly public_key: string;
    readonly state: JsonObject;
    readonly machine: Signature;
  };
  task: Readonly<Record<"trail" | "task" | "status" | "subject", string>>;
  /** A command is about to be run. Durable before it starts; the evidence that names it is its end. */
  start: Readonly<Record<"start" | "action" | "digest", string>>;
  evidence: Readonly<Record<"evidence" | "action" | "digest", string>> & {
    readonly success: boolean;
    readonly start?: string | undefined;
  };
};

export type EntryType = keyof Said;

/** An entry of one type. `agent` is an agent's id, or `person`. */
export type EntryOf<Type extends EntryType> = Said[Type] & {
  readonly type: Type;
  readonly at: string;
  readonly agent: string;
};

export type LedgerEntry = { [Type in EntryType]: EntryOf<Type> }[EntryType];
