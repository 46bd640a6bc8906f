/** Governance, for programs. */
export { gate } from "./project-gate/preflight.ts";
export { health } from "./project-gate/health.ts";
export * from "./verbs/agents.ts";
export {
  authorityInit,
  authorityRotate,
  authorityShow,
  authoritySubmit,
  authorityTrust,
  type AuthorityReport,
  type DecreeResult,
  type Signing,
} from "./verbs/authority.ts";
export * from "./verbs/evidence.ts";
export * from "./verbs/exec.ts";
export * from "./verbs/governance-report.ts";
export * from "./verbs/ledger.ts";
export * from "./verbs/policy.ts";
export { vaultPoliciesFor } from "./verbs/vault.ts";
