import { flag, number, optional, required, text, typed } from "../../work/verbs/command-words.ts";
import * as json from "../../work/verbs/json-schema.ts";
import { FEW_TOOLS } from "../../work/verbs/reasons.ts";
import type { UntypedVerb, VerbEntry } from "../../work/verbs/spec.ts";
import { SIGNING } from "./agent-verbs.ts";
import { DEPENDENCY, ENTRY, EVIDENCE, EVIDENCE_PACKAGE, LEDGER_VERIFIED, VAULT_POLICIES } from "./results.ts";

const OUTPUT = { output: text("FILE", "Where to (stdout otherwise)") } as const;

/** Verbs about what was recorded, and about what the project depends on. */
export const RECORDS = {
  ledger: {
    about: "Show the ledger: who did what, with what permission",
    examples: [
      ["checkpoint ledger", "the newest 20 entries"],
      ["checkpoint ledger --agent deployer --type violation --since 7d", ""],
    ],
    options: {
      agent: typed(text("ID", "Only entries of this agent")),
      type: typed(text("TYPE", "Only action, violation, promotion, approval …")),
      since: typed(text("TIME", "Only since: 7d, 12h, 2026-01-23")),
      limit: number(1, "How many (default: 20)", { maximum: 1000 }),
    },
    result: () =>
      json.fields({
        entries: json.list({
          anyOf: [
            json.fields({ number: json.count, hash: json.text, entry: ENTRY }),
            json.fields({ number: json.count, hash: json.text, entry: json.anything, problem: json.text }),
          ],
        }),
      }),
    page: { defaults: { limit: 500 } },
    run: () => import("./verbs/ledger.ts"),
  },
  "ledger verify": {
    about: "Check every hash and signature of the ledger",
    examples: [
      ["checkpoint ledger verify", "status 5, and the first bad entry, if it was changed"],
      ["checkpoint ledger verify --anchor anchor.json", "also against a head that was kept elsewhere"],
    ],
    options: { anchor: text("FILE", "What ledger anchor wrote") },
    result: () => LEDGER_VERIFIED,
    page: "governanceReport checks the ledger when it is asked to",
  },
  "ledger anchor": {
    about: "Print the ledger's signed head, to keep elsewhere",
    examples: [["checkpoint ledger anchor --output /mnt/safe/anchor.json", ""]],
    options: { ...OUTPUT, vault: SIGNING.vault },
    result: () => json.fields({ path: json.text, number: json.count, hash: json.text }),
  },
  "ledger export": {
    about: "Export the whole ledger as JSON lines that anyone can verify",
    examples: [
      ["checkpoint ledger export --output ledger.jsonl", "docs/governance.md has the script that checks it"],
    ],
    options: {
      ...OUTPUT,
      vault: text("KEY", "Encrypt with this Transit key of the vault"),
    },
    result: () => json.fields({ path: json.text, entries: json.count }),
  },
  "evidence list": {
    about: "List the evidence of what was run",
    examples: [["checkpoint evidence list", "the newest 20"]],
    options: { limit: number(1, "How many (default: 20)") },
    result: () => json.fields({ evidence: json.list(json.fields(EVIDENCE)) }),
    page: "governanceReport lists the newest",
  },
  "evidence show": {
    about: "Show one package of evidence",
    examples: [["checkpoint evidence show evd-20260123-120000-0123abcd", ""]],
    arguments: { id: required("ID", "The package: evd-…") },
    result: () => json.fields({ id: json.text, evidence: json.fields(EVIDENCE_PACKAGE) }),
  },
  "evidence verify": {
    about: "Compare evidence with the ledger",
    examples: [["checkpoint evidence verify", "all of it; status 5 if something is not what was recorded"]],
    arguments: { id: optional("ID", "Only this package") },
    result: () => json.fields({ ok: json.flag, evidence: json.list(json.fields(EVIDENCE)) }),
  },
  "evidence export": {
    about: "Write evidence with the ledger that proves it, as one file",
    examples: [["checkpoint evidence export evd-20260123-120000-0123abcd --output proof.json", ""]],
    arguments: { id: required("ID", "The package: evd-…") },
    options: { ...OUTPUT },
    result: () => json.fields({ path: json.text, id: json.text }),
  },
  health: {
    about: "Probe what the project depends on, each behind a circuit breaker",
    examples: [
      ["checkpoint health", "status 1 if something does not answer"],
      ["checkpoint health --watch", "again every five seconds, until Ctrl-C"],
    ],
    options: { watch: flag("Again and again") },
    result: () => json.fields({ healthy: json.flag, dependencies: json.list(DEPENDENCY) }),
    tool: FEW_TOOLS,
    page: "a checkpoint shows what its dependencies answered",
  },
  vault: {
    about: "Check whether the vault can be used",
    examples: [["checkpoint vault", "Vault or OpenBao, as $VAULT_ADDR or $BAO_ADDR says"]],
    result: () => json.fields({ status: json.text, version: json.nullableText }),
  },
  "vault policies": {
    about: "Print one policy per tier for the vault",
    examples: [["checkpoint vault policies --apply", "write them there"]],
    options: { apply: flag("Write them to the vault") },
    verb: "vaultPoliciesFor",
    result: () => VAULT_POLICIES,
  },
  governanceReport: {
    command: "agent list, ledger, evidence list and ledger verify print the same, each by itself",
    wire: {
      limit: number(1, "How many violations and evidence packages, the newest (50 otherwise)", {
        maximum: 1000,
      }),
      verify: flag("Also check the whole ledger: 20 ms for every 1,000 entries"),
    },
    page: {},
    run: () => import("./verbs/governance-report.ts"),
  },
} as const satisfies Record<string, VerbEntry | UntypedVerb>;
