import { generateKeyPairSync } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { keyFingerprint, headText, signWith } from "../../src/capabilities/governance/keys/signature.ts";
import { parseAnchor } from "../../src/capabilities/governance/ledger/anchor.ts";
import { POLICY_FILE } from "../../src/capabilities/governance/policy/policy.ts";
import { readPolicyFile } from "../../src/capabilities/governance/policy/read-policy.ts";
import { applyEntry } from "../../src/capabilities/governance/state/apply-entry.ts";
import { ANY_AUTHORITY, signDecree } from "../../src/capabilities/governance/state/decrees.ts";
import { emptyState } from "../../src/capabilities/governance/state/governance-state.ts";
import { standingOf } from "../../src/capabilities/governance/state/standing.ts";
import type { JsonObject } from "../../src/core/objects/json.ts";
import { isRecord, parseJson } from "../../src/core/text/untrusted.ts";
import type { Target } from "./fuzzing.ts";
import type { World } from "./part.ts";

const STORE = "store-1";
const AT = "2026-02-14T10:30:00Z";
const BY = { at: AT, agent: "ada" };

/** The parsers of what stands in a ledger, or was taken out of one. */
export async function governanceTargets(world: World): Promise<Target[]> {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const pem = publicKey.export({ format: "pem", type: "spki" }).toString();
  const head = { number: 3, hash: "a".repeat(64) };
  const signer = { publicKey: pem, sign: async (text: string) => signWith(privateKey, text) };
  const founding = await signDecree(
    STORE,
    { type: "authority", at: AT, agent: "person", public_key: pem, serial: 1, on: head },
    signer,
  );
  return [
    {
      name: "ledger entries",
      seeds: [linesOf([founding, ...ENTRIES]), linesOf(ENTRIES)],
      parse: applyLines,
    },
    {
      name: "anchors",
      seeds: [
        JSON.stringify({
          schema: "cairn/ledger-anchor@1",
          store: STORE,
          ...head,
          at: AT,
          public_key: pem,
          key: keyFingerprint(pem),
          signature: signWith(privateKey, headText(STORE, head)),
          authority: [],
        }),
      ],
      parse: (input) => parseAnchor(input.toString("utf8")),
    },
    {
      name: "policies",
      seeds: [
        'actions:\n  - { match: "exec.*", tier: 1, risk: low, approval: none }\n  - { match: "*", tier: 0 }\n',
      ],
      parse: (input) => {
        writeFileSync(join(world.memory, POLICY_FILE), input);
        return readPolicyFile(world.memory);
      },
    },
  ];
}

const ENTRIES: readonly JsonObject[] = [
  { ...BY, type: "registration", token: "b".repeat(64) },
  { ...BY, type: "action", action: "exec.npm", outcome: "allowed", tier: 1 },
  { ...BY, type: "promotion", to: 2, serial: 2, authority: { key: "x", signature: "y" } },
  { ...BY, type: "demotion", to: 0, reason: "x" },
  { ...BY, type: "revocation", reason: "x" },
  { ...BY, type: "request", request: "r1", action: "infra.x", subject: "ada" },
  { ...BY, type: "approval", request: "r1", action: "infra.x", by: "person" },
  { ...BY, type: "violation", rule: "switched-off", what: "x" },
  { ...BY, type: "evidence", evidence: "e1", action: "exec.npm", success: true, digest: "c".repeat(64) },
  { ...BY, type: "task", trail: "main", task: "1", status: "completed", subject: "x" },
];

const linesOf = (entries: readonly JsonObject[]) => entries.map((entry) => JSON.stringify(entry)).join("\n");

/** All that is done with the entries of a log, up to what an agent may do after them. */
function applyLines(input: Buffer): unknown {
  const state = emptyState();
  const lines = input.toString("utf8").split("\n").map(parseJson);
  if (!lines.every(isRecord)) return undefined;
  for (const [index, entry] of lines.entries()) {
    const logged = { number: index + 1, entry: entry as JsonObject };
    applyEntry(state, { storeId: STORE, authority: ANY_AUTHORITY }, logged);
  }
  return standingOf(state, STORE, { agent: "ada", atTerminal: false });
}
