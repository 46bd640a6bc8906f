import { flag, number, required, text } from "../../work/verbs/command-words.ts";
import * as json from "../../work/verbs/json-schema.ts";
import type { VerbEntry } from "../../work/verbs/spec.ts";
import {
  AGENT,
  AUTHORITY,
  CHECKED,
  DECREED,
  ENTRY,
  POLICY_CHANGES,
  POLICY_SHOWN,
  STATEMENT,
} from "./results.ts";

// Not called `agent`, which would be who acts.
const ONE_AGENT = { name: required("AGENT", "The agent's name") } as const;
const REASON = { reason: text("TEXT", "Why") } as const;

const BY_AUTHORITY = "what the authority says is signed where its passphrase is typed, never in a browser";
const SAME_AGENTS = "governanceReport has the same agents";

/** How the authority signs. */
export const SIGNING = {
  passphraseFile: text("FILE", 'Read the passphrase from this file ("-" is stdin) instead of asking'),
  vault: text("KEY", "Sign with this Transit key of the vault"),
  unsigned: flag("Sign nothing: print what the authority should sign elsewhere"),
} as const;

/** Verbs about agents, whose word raises them, and the policy. */
export const AGENTS = {
  "agent list": {
    about: "List the agents that the ledger knows, with their tiers",
    examples: [["checkpoint agent list", "T0 observe, T1 work, T2 run, T3 infrastructure, T4 administer"]],
    result: () => json.fields({ agents: json.list(json.fields(AGENT)) }),
    page: SAME_AGENTS,
  },
  "agent register": {
    about: "Register an agent at T0, and print its token",
    examples: [["checkpoint agent register deployer", "the token goes into $CHECKPOINT_AGENT_TOKEN"]],
    arguments: ONE_AGENT,
    details: "The token is printed once and kept nowhere. Without it an agent gets T1 at most.",
    result: () => json.fields({ agent: json.text, token: json.text }),
    tool: "a token must not reach a model's context",
  },
  "agent show": {
    about: "Show an agent: its tier, and what it is based on",
    examples: [["checkpoint agent show deployer", ""]],
    arguments: ONE_AGENT,
    result: () => json.fields(AGENT),
    page: SAME_AGENTS,
  },
  "agent promote": {
    about: "Raise an agent's tier, signed by the authority",
    examples: [["checkpoint agent promote deployer --to 2", "asks for the authority's passphrase"]],
    arguments: ONE_AGENT,
    options: { to: number(0, "The tier: 2, or T2", { letter: "T" }), ...SIGNING },
    result: () => json.fields({ ...DECREED, agent: json.fields(AGENT) }),
    page: BY_AUTHORITY,
  },
  "agent demote": {
    about: "Lower an agent's tier",
    examples: [["checkpoint agent demote deployer --to 0 --reason 'noisy'", ""]],
    arguments: ONE_AGENT,
    options: { to: number(0, "The tier: 2, or T2", { letter: "T" }), ...REASON },
    result: () => json.fields(AGENT),
  },
  "agent revoke": {
    about: "Revoke every permission of an agent, at once",
    examples: [["checkpoint agent revoke deployer --reason 'deleted a table'", ""]],
    arguments: ONE_AGENT,
    options: { ...REASON },
    details: "Needs no key. Afterwards, keep a copy of the ledger's head elsewhere: checkpoint ledger anchor",
    result: () => json.fields(AGENT),
  },
  "agent restore": {
    about: "Let a revoked agent act again, signed by the authority",
    examples: [["checkpoint agent restore deployer --to 1", ""]],
    arguments: ONE_AGENT,
    options: { to: number(0, "The tier: 2, or T2", { letter: "T" }), ...SIGNING },
    result: () => json.fields({ ...DECREED, agent: json.fields(AGENT) }),
    page: BY_AUTHORITY,
  },
  "agent approve": {
    about: "Approve an agent's request, for one use within a day",
    examples: [
      ["checkpoint agent approve req-0123456789ab", "the gate says which"],
      ["checkpoint agent approve req-0123456789ab --plan ../seen.tfplan", "only if it asks for this plan"],
    ],
    arguments: { request: required("REQUEST", "What was asked for: req-…") },
    options: { ...SIGNING, plan: text("FILE", "The terraform plan that you looked at") },
    result: () => json.fields(DECREED),
    page: BY_AUTHORITY,
  },
  "authority show": {
    about: "Show the authority whose signature raises agents",
    examples: [["checkpoint authority show", ""]],
    result: () => AUTHORITY,
    page: "governanceReport has the fingerprints",
  },
  "authority init": {
    about: "Create the authority's key, protected by a passphrase",
    examples: [
      ["checkpoint authority init", "asks for a passphrase"],
      ["checkpoint authority init --vault cairn", "a key that never leaves the vault"],
    ],
    options: { passphraseFile: SIGNING.passphraseFile, vault: SIGNING.vault },
    details: "Do this before an agent works here: the first authority is accepted as it comes.",
    result: () => AUTHORITY,
    page: BY_AUTHORITY,
  },
  "authority rotate": {
    about: "Replace the authority's key, signed by the present one",
    examples: [["checkpoint authority rotate", "asks for the present passphrase, then for the new one"]],
    options: { passphraseFile: SIGNING.passphraseFile },
    details: "With --passphrase-file, its second line is the new passphrase.",
    result: () => AUTHORITY,
    page: BY_AUTHORITY,
  },
  "authority trust": {
    about: "Trust the authority and the ledger as they are, on this machine",
    examples: [
      [
        "checkpoint authority trust 0123456789abcdef0123456789abcdef",
        "another machine, or a restored backup",
      ],
    ],
    arguments: { fingerprint: required("KEY", "The fingerprint of its first key") },
    result: () => AUTHORITY,
  },
  "authority sign": {
    about: "Sign a statement that --unsigned printed",
    examples: [["checkpoint authority sign statement.json > signed.json", "as another user, on any machine"]],
    arguments: { file: required("FILE", "The statement; read it before you sign") },
    options: { passphraseFile: SIGNING.passphraseFile, vault: SIGNING.vault },
    result: () => STATEMENT,
  },
  "authority submit": {
    about: "Record what the authority signed elsewhere",
    examples: [["checkpoint authority submit signed.json", ""]],
    arguments: { file: required("FILE", "What authority sign printed") },
    result: () => json.fields({ entry: ENTRY }),
  },
  "policy show": {
    about: "Show the policy in force",
    examples: [["checkpoint policy show > cairn.policy.yaml", "the beginning of your own"]],
    result: () => json.fields(POLICY_SHOWN),
  },
  "policy check": {
    about: "Show what the policy would answer for a tier",
    examples: [["checkpoint policy check exec.npm --tier 1", "status 4 unless it is allowed"]],
    arguments: { action: required("ACTION", "The action") },
    options: { tier: number(0, "The tier: 2, or T2", { letter: "T" }) },
    result: () => CHECKED,
  },
  "policy explain": {
    about: "Show which rule decides an action, and what each tier may do",
    examples: [["checkpoint policy explain infra.terraform.apply", ""]],
    arguments: { action: required("ACTION", "The action") },
    result: () => CHECKED,
  },
  "policy accept": {
    about: "Put cairn.policy.yaml into force, signed by the authority",
    examples: [
      [
        "checkpoint policy accept",
        "shows what changes and asks; until then, editing the file changes nothing",
      ],
    ],
    options: { ...SIGNING, yes: flag("Do not ask whether the changes are wanted") },
    result: () => json.fields({ ...DECREED, ...POLICY_SHOWN, changes: POLICY_CHANGES }),
    page: BY_AUTHORITY,
  },
} as const satisfies Record<string, VerbEntry>;
