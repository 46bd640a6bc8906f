import type { EvidencePackage } from "./exec/evidence.ts";
import { UNFINISHED_ACTIONS } from "../../work/project/maintenance/results.ts";
import type { LedgerEntry } from "./state/entry.ts";
import {
  type JsonSchema,
  anything,
  count,
  enumOf,
  fields,
  flag,
  list,
  nullable,
  nullableText,
  text,
  texts,
} from "../../work/verbs/json-schema.ts";

/** What the verbs about governance give. */
export const TIER: JsonSchema = { type: "integer", minimum: 0, maximum: 4 };
const ENTRY_TYPES = [
  "action",
  "violation",
  "registration",
  "promotion",
  "demotion",
  "revocation",
  "restoration",
  "request",
  "approval",
  "policy",
  "authority",
  "seal",
  "task",
  "start",
  "evidence",
] as const satisfies readonly LedgerEntry["type"][];
export const ENTRY = { type: "object", properties: { type: enumOf(...ENTRY_TYPES), at: text, agent: text } };
export const AGENT = {
  agent: text,
  tier: TIER,
  is_revoked: flag,
  is_registered: flag,
  since: text,
  actions: count,
  clean_actions: count,
  violations: count,
  evidence: count,
};
export const STATEMENT = {
  ...fields({ store: text, key: text, statement: anything }),
  // Without one, what an earlier version printed.
  required: ["store", "statement"],
};
export const DECREED = { entry: nullable(ENTRY), unsigned: nullable(STATEMENT) };
export const AUTHORITY = fields({
  store: text,
  keys: texts,
  statements: count,
  pin: nullableText,
  machine_key: text,
});
export const CHECKED = fields({
  action: text,
  rule: nullable(anything),
  tiers: list(fields({ tier: TIER, decision: enumOf("allow", "ask", "deny"), reasons: texts })),
});
export const POLICY_CHANGES = list(fields({ kind: enumOf("same", "removed", "added"), line: text }));
export const POLICY_SHOWN = { source: enumOf("accepted", "built-in"), policy: anything };
export const EVIDENCE = { id: text, at: text, agent: text, action: text, success: flag, digest: text };
export const EVIDENCE_PACKAGE = {
  schema: text,
  agent: text,
  tier: TIER,
  attested: flag,
  action: text,
  approval: nullableText,
  digest: text,
  plan_digest: nullableText,
  argv: texts,
  cwd: text,
  environment: texts,
  git: nullable(fields({ head: nullableText, branch: nullableText, dirty: nullable(flag) })),
  started_at: text,
  ended_at: text,
  exit_code: count,
  signal: nullableText,
  problem: nullableText,
  output: fields({ sha256: text, bytes: count, tail: text }),
  files_changed: texts,
  more_files: count,
} satisfies Record<keyof EvidencePackage, JsonSchema>;
export const DEPENDENCY = fields({
  name: text,
  status: text,
  breaker: enumOf("closed", "open", "half-open"),
  latency_ms: { type: ["integer", "null"] },
});

export const LEDGER_VERIFIED = fields({
  ok: flag,
  problem: nullable(fields({ entry: count, what: text })),
  entries: count,
  seals: count,
  covered: count,
  forged: list(fields({ number: count, agent: text, what: text })),
  unfinished: UNFINISHED_ACTIONS,
  authority: texts,
  limits: text,
});

export const VAULT_POLICIES = fields({
  applied: flag,
  policies: list(fields({ name: text, tier: nullable(TIER), text })),
});
