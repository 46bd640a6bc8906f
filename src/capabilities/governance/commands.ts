import type { CommandFunction } from "../../work/terminal/command.ts";
import type { CommandEntry } from "../../work/verbs/spec.ts";
import {
  TRAIL,
  WRITING,
  choice,
  flag,
  number,
  optional,
  required,
  rest,
  text,
} from "../../work/verbs/command-words.ts";

// Not called `agent`, which would be who acts.
const AGENT = { name: required("AGENT", "The agent's name") } as const;
const REASON = { reason: text("TEXT", "Why") } as const;
const WHO = { agent: WRITING.agent } as const;
const OUTPUT = { output: text("FILE", "Where to (stdout otherwise)") } as const;

/** How the authority signs. */
const SIGNING = {
  passphraseFile: text("FILE", 'Read the passphrase from this file ("-" is stdin) instead of asking'),
  vault: text("KEY", "Sign with this Transit key of the vault"),
  unsigned: flag("Sign nothing: print what the authority should sign elsewhere"),
} as const;

/** Commands about who did what, with what permission. */
export const GOVERNANCE = {
  gate: {
    about: "Ask whether an action would be allowed now",
    examples: [
      ["checkpoint gate exec.npm", "allow, ask or deny, with the reasons; status 4 unless it is allowed"],
      ["checkpoint gate infra.terraform.apply --agent deployer", "for an agent"],
    ],
    arguments: { action: required("ACTION", "The action, for example exec.npm") },
    options: { ...WHO },
    details: "Needs governance: on in cairn.yaml. What the actions are called: checkpoint policy show.",
  },
  exec: {
    about: "Run a command if the gate allows it, and keep the evidence",
    examples: [
      ["checkpoint exec -- npm test", "its output and status are passed on"],
      ["checkpoint exec --risk high -- ./migrate.sh", "with a checkpoint before it in any case"],
      ["checkpoint exec -- terraform apply next.tfplan", "only the plan that was approved"],
    ],
    arguments: { command: rest("COMMAND", "The command, after --") },
    options: {
      action: text("NAME", "What it is for; what this needs is needed too"),
      risk: choice(["low", "high"], "How much it could break"),
      ...WHO,
      ...TRAIL,
    },
    details:
      "No shell reads the words. The command's exit status is passed on; what the gate refuses is not started, and told by a line of JSON on stderr and status 4.",
  },
  "agent list": {
    about: "List the agents that the ledger knows, with their tiers",
    examples: [["checkpoint agent list", "T0 observe, T1 work, T2 run, T3 infrastructure, T4 administer"]],
  },
  "agent register": {
    about: "Register an agent at T0, and print the token that shows that it is this one",
    examples: [["checkpoint agent register deployer", "the token goes into $CHECKPOINT_AGENT_TOKEN"]],
    arguments: AGENT,
    details: "The token is printed once and kept nowhere. Without it an agent gets T1 at most.",
  },
  "agent show": {
    about: "Show an agent: its tier, and what it is based on",
    examples: [["checkpoint agent show deployer", ""]],
    arguments: AGENT,
  },
  "agent promote": {
    about: "Raise an agent, by the authority's signature",
    examples: [["checkpoint agent promote deployer --to 2", "asks for the authority's passphrase"]],
    arguments: AGENT,
    options: { to: number(0, "The tier"), ...SIGNING },
  },
  "agent demote": {
    about: "Lower an agent's tier",
    examples: [["checkpoint agent demote deployer --to 0 --reason 'noisy'", ""]],
    arguments: AGENT,
    options: { to: number(0, "The tier"), ...REASON },
  },
  "agent revoke": {
    about: "Take all permission from an agent, at once",
    examples: [["checkpoint agent revoke deployer --reason 'deleted a table'", ""]],
    arguments: AGENT,
    options: { ...REASON },
    details: "Needs no key. Afterwards, keep a copy of the ledger's head elsewhere: checkpoint ledger anchor",
  },
  "agent restore": {
    about: "Let a revoked agent act again, by the authority's signature",
    examples: [["checkpoint agent restore deployer --to 1", ""]],
    arguments: AGENT,
    options: { to: number(0, "The tier"), ...SIGNING },
  },
  "agent approve": {
    about: "Approve what an agent asked for, for one use within a day",
    examples: [
      ["checkpoint agent approve req-0123456789ab", "the gate says which"],
      ["checkpoint agent approve req-0123456789ab --plan ../seen.tfplan", "only if it asks for this plan"],
    ],
    arguments: { request: required("REQUEST", "What was asked for: req-…") },
    options: { ...SIGNING, plan: text("FILE", "The terraform plan that you looked at") },
  },
  "authority show": {
    about: "Show whose signature raises agents here",
    examples: [["checkpoint authority show", ""]],
  },
  "authority init": {
    about: "Make the authority's key, behind a passphrase, and let it count here",
    examples: [
      ["checkpoint authority init", "asks for a passphrase"],
      ["checkpoint authority init --vault cairn", "a key that never leaves the vault"],
    ],
    options: { passphraseFile: SIGNING.passphraseFile, vault: SIGNING.vault },
    details: "Do this before an agent works here: the first authority is accepted as it comes.",
  },
  "authority rotate": {
    about: "Replace the authority's key, by the present one's signature",
    examples: [["checkpoint authority rotate", "asks for the present passphrase, then for the new one"]],
    options: { passphraseFile: SIGNING.passphraseFile },
    details: "With --passphrase-file, its second line is the new passphrase.",
  },
  "authority trust": {
    about: "Accept the authority, and the ledger as it is, on this machine",
    examples: [
      [
        "checkpoint authority trust 0123456789abcdef0123456789abcdef",
        "another machine, or a restored backup",
      ],
    ],
    arguments: { fingerprint: required("KEY", "The fingerprint of its first key") },
  },
  "authority sign": {
    about: "Sign what --unsigned printed, as whoever holds the key",
    examples: [["checkpoint authority sign statement.json > signed.json", "as another user, on any machine"]],
    arguments: { file: required("FILE", "The statement; read it before you sign") },
    options: { passphraseFile: SIGNING.passphraseFile, vault: SIGNING.vault },
  },
  "authority submit": {
    about: "Record what the authority signed elsewhere",
    examples: [["checkpoint authority submit signed.json", ""]],
    arguments: { file: required("FILE", "What authority sign printed") },
  },
  "policy show": {
    about: "Show the policy in force",
    examples: [["checkpoint policy show > cairn.policy.yaml", "the beginning of your own"]],
  },
  "policy check": {
    about: "Say what the policy would answer, for a tier",
    examples: [["checkpoint policy check exec.npm --tier 1", "status 4 unless it is allowed"]],
    arguments: { action: required("ACTION", "The action") },
    options: { tier: number(0, "The tier") },
  },
  "policy explain": {
    about: "Say which rule counts for an action, and what each tier is told",
    examples: [["checkpoint policy explain infra.terraform.apply", ""]],
    arguments: { action: required("ACTION", "The action") },
  },
  "policy accept": {
    about: "Put cairn.policy.yaml into force, by the authority's signature",
    examples: [
      [
        "checkpoint policy accept",
        "shows what changes and asks; until then, editing the file changes nothing",
      ],
    ],
    options: { ...SIGNING, yes: flag("Do not ask whether the changes are wanted") },
  },
  ledger: {
    about: "Show the ledger: who did what, with what permission",
    examples: [
      ["checkpoint ledger", "the newest 20 entries"],
      ["checkpoint ledger --agent deployer --type violation --since 7d", ""],
    ],
    options: {
      agent: text("ID", "Only entries of this agent"),
      type: text("TYPE", "Only action, violation, promotion, approval …"),
      since: text("TIME", "Only since: 7d, 12h, 2026-01-23"),
      limit: number(1, "How many (default: 20)"),
    },
  },
  "ledger verify": {
    about: "Check every hash and signature of the ledger",
    examples: [
      ["checkpoint ledger verify", "status 5, and the first bad entry, if it was changed"],
      ["checkpoint ledger verify --anchor anchor.json", "also against a head that was kept elsewhere"],
    ],
    options: { anchor: text("FILE", "What ledger anchor wrote") },
  },
  "ledger anchor": {
    about: "Print the ledger's signed head, to be kept elsewhere",
    examples: [["checkpoint ledger anchor --output /mnt/safe/anchor.json", ""]],
    options: { ...OUTPUT, vault: SIGNING.vault },
  },
  "ledger export": {
    about: "Write the whole ledger as lines of JSON that anybody can check",
    examples: [
      ["checkpoint ledger export --output ledger.jsonl", "docs/governance.md has the script that checks it"],
    ],
    options: {
      ...OUTPUT,
      vault: text("KEY", "Encrypt with this Transit key of the vault"),
    },
  },
  "evidence list": {
    about: "List the evidence of what was run",
    examples: [["checkpoint evidence list", "the newest 20"]],
    options: { limit: number(1, "How many (default: 20)") },
  },
  "evidence show": {
    about: "Show one package of evidence",
    examples: [["checkpoint evidence show evd-20260123-120000-0123abcd", ""]],
    arguments: { id: required("ID", "The package: evd-…") },
  },
  "evidence verify": {
    about: "Compare evidence with the ledger",
    examples: [["checkpoint evidence verify", "all of it; status 5 if something is not what was recorded"]],
    arguments: { id: optional("ID", "Only this package") },
  },
  "evidence export": {
    about: "Write evidence with the ledger that proves it, as one file",
    examples: [["checkpoint evidence export evd-20260123-120000-0123abcd --output proof.json", ""]],
    arguments: { id: required("ID", "The package: evd-…") },
    options: { ...OUTPUT },
  },
  health: {
    about: "Probe what the project depends on, each behind a circuit breaker",
    examples: [
      ["checkpoint health", "status 1 if something does not answer"],
      ["checkpoint health --watch", "again every five seconds, until Ctrl-C"],
    ],
    options: { watch: flag("Again and again") },
  },
  vault: {
    about: "Say whether the vault can be used",
    examples: [["checkpoint vault", "Vault or OpenBao, as $VAULT_ADDR or $BAO_ADDR says"]],
  },
  "vault policies": {
    about: "Print one policy per tier for the vault",
    examples: [["checkpoint vault policies --apply", "write them there"]],
    options: { apply: flag("Write them to the vault") },
  },
} as const satisfies Record<string, CommandEntry>;

/** A command of this capability, by its name. */
export type GovernanceCommand<Name extends keyof typeof GOVERNANCE> = CommandFunction<
  (typeof GOVERNANCE)[Name]
>;
