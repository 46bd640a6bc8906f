import type { GOVERNANCE } from "../../src/capabilities/governance/commands.ts";
import type { EvidencePackage } from "../../src/capabilities/governance/exec/evidence.ts";
import type { LedgerEntry } from "../../src/capabilities/governance/state/entry.ts";
import { anything, count, enumOf, fields, flag, list, nullable, nullableText, text, texts } from "./parts.ts";
import type { JsonSchema } from "./work-state-schema.ts";

const tier: JsonSchema = { type: "integer", minimum: 0, maximum: 4 };
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
const entry = { type: "object", properties: { type: enumOf(...ENTRY_TYPES), at: text, agent: text } };
const agent = {
  agent: text,
  tier,
  is_revoked: flag,
  is_registered: flag,
  since: text,
  actions: count,
  clean_actions: count,
  violations: count,
  evidence: count,
};
const statement = {
  ...fields({ store: text, key: text, statement: anything }),
  // Without one, what an earlier version printed.
  required: ["store", "statement"],
};
const decreed = { entry: nullable(entry), unsigned: nullable(statement) };
const authority = fields({ store: text, keys: texts, statements: count, pin: nullableText, machine_key: text });
const checked = fields({
  action: text,
  rule: nullable(anything),
  tiers: list(fields({ tier, decision: enumOf("allow", "ask", "deny"), reasons: texts })),
});
export const unfinished = list(fields({ start: text, number: count, at: text, agent: text, action: text }));
const policyChanges = list(fields({ kind: enumOf("same", "removed", "added"), line: text }));
const policy = { source: enumOf("accepted", "built-in"), policy: anything };
const evidence = { id: text, at: text, agent: text, action: text, success: flag, digest: text };
const evidencePackage = {
  schema: text,
  agent: text,
  tier,
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
const dependency = fields({
  name: text,
  status: text,
  breaker: enumOf("closed", "open", "half-open"),
  latency_ms: { type: ["integer", "null"] },
});

/** What the commands about governance print. */
export const GOVERNANCE_DOCUMENTS: Readonly<Record<keyof typeof GOVERNANCE, JsonSchema>> = {
  gate: fields({
    decision: enumOf("allow", "ask", "deny"),
    reasons: texts,
    risk: enumOf("low", "high"),
    action: text,
    agent: text,
    tier,
    attested: flag,
  }),
  exec: fields({ evidence: text, exit_code: count, not_saved: nullableText }),
  "agent list": fields({ agents: list(fields(agent)) }),
  "agent register": fields({ agent: text, token: text }),
  "agent show": fields(agent),
  "agent promote": fields({ ...decreed, agent: fields(agent) }),
  "agent demote": fields(agent),
  "agent revoke": fields(agent),
  "agent restore": fields({ ...decreed, agent: fields(agent) }),
  "agent approve": fields(decreed),
  "authority show": authority,
  "authority init": authority,
  "authority rotate": authority,
  "authority trust": authority,
  "authority sign": statement,
  "authority submit": fields({ entry }),
  "policy show": fields(policy),
  "policy check": checked,
  "policy explain": checked,
  "policy accept": fields({ ...decreed, ...policy, changes: policyChanges }),
  ledger: fields({
    entries: list({
      anyOf: [
        fields({ number: count, hash: text, entry }),
        fields({ number: count, hash: text, entry: anything, problem: text }),
      ],
    }),
  }),
  "ledger verify": fields({
    ok: flag,
    problem: nullable(fields({ entry: count, what: text })),
    entries: count,
    seals: count,
    covered: count,
    forged: list(fields({ number: count, agent: text, what: text })),
    unfinished,
    authority: texts,
    limits: text,
  }),
  "ledger anchor": fields({ path: text, number: count, hash: text }),
  "ledger export": fields({ path: text, entries: count }),
  "evidence list": fields({ evidence: list(fields(evidence)) }),
  "evidence show": fields({ id: text, evidence: fields(evidencePackage) }),
  "evidence verify": fields({ ok: flag, evidence: list(fields(evidence)) }),
  "evidence export": fields({ path: text, id: text }),
  health: fields({ healthy: flag, dependencies: list(dependency) }),
  vault: fields({ status: text, version: nullableText }),
  "vault policies": fields({ applied: flag, policies: list(fields({ name: text, tier: nullable(tier), text })) }),
};
