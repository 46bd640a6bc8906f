import * as z from "zod";
import { count } from "../schema-parts.ts";

/** What the verbs about governance take and give. */
const text = z.string();
const limit = z.int().min(1).max(1000).optional();

const tier = z.int().min(0).max(4);

const agentReport = z.looseObject({
  agent: text,
  tier,
  is_revoked: z.boolean(),
  is_registered: z.boolean(),
  since: text,
  actions: count,
  clean_actions: count.describe("Allowed actions since the last violation."),
  violations: count,
  evidence: count.describe("Evidence of commands that succeeded."),
});

const evidence = z.looseObject({
  id: text,
  at: text,
  agent: text,
  action: text,
  success: z.boolean(),
  digest: text,
});

const verified = z.looseObject({
  entries: count,
  seals: count,
  covered: count.describe("The last entry that a signature covers."),
  problem: z.looseObject({ entry: count, what: text }).optional().describe("Absent if nothing is wrong."),
  forged: z.array(z.looseObject({ number: count, agent: text, what: text })),
  authority: z.array(text),
  limits: text.describe("What this check cannot show."),
});

export const GOVERNANCE_REPORT = {
  input: z.strictObject({
    limit: limit.describe("How many violations and evidence packages, the newest (50 otherwise)."),
    verify: z.boolean().optional().describe("Also check the whole ledger."),
  }),
  result: z.looseObject({
    is_governed: z.boolean(),
    entries: count,
    agents: z.array(agentReport.extend({ last_seen: text.nullable() })),
    violations: z.array(
      z.looseObject({
        number: count,
        at: text,
        agent: text,
        rule: text,
        what: text,
        action: text.optional(),
      }),
    ),
    evidence: z.array(evidence),
    requests: z.array(
      z.looseObject({
        id: text,
        at: text,
        agent: text,
        action: text,
        reasons: z.array(text),
        needs_authority: z.boolean(),
      }),
    ),
    approvals: z.array(z.looseObject({ request: text, at: text, agent: text, action: text, expires: text })),
    authority: z.array(text),
    verified: verified.nullable(),
    problem: text.nullable(),
  }),
};
