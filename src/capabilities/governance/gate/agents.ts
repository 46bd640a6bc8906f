import { randomBytes } from "node:crypto";
import { CheckpointError } from "../../../core/errors.ts";
import type { JsonObject } from "../../../core/objects/json.ts";
import type { Ledger } from "../ledger/ledger.ts";
import { digestOf } from "../keys/signature.ts";
import type { Tier } from "../policy/policy.ts";
import { needsAuthority } from "../state/apply-entry.ts";
import type { EntryOf, LedgerEntry } from "../state/entry.ts";
import { knownAgent, type AgentRecord } from "../state/governance-state.ts";
import { PERSON, provenTier } from "../state/standing.ts";
import { assertReason } from "./sizes.ts";
import type { Admission, Governance } from "./governance.ts";

/** An agent as people ask for it. */
export type AgentReport = Omit<AgentRecord, "token" | "grant" | "hour"> & {
  readonly agent: string;
  readonly is_registered: boolean;
};

const AGENT_NAME = /^[\p{L}\p{N}_][\p{L}\p{N}_.@:/-]{0,79}$/u;

/** Registers an agent at T0. The token that shows that it is this agent is returned, and kept nowhere. */
export async function registerAgent(
  governance: Governance,
  admission: Admission,
  agent: string,
): Promise<{ agent: string; token: string }> {
  if (!AGENT_NAME.test(agent))
    throw new CheckpointError("usage", `"${agent}" is not a name for an agent.`, {
      hint: "Letters, digits and . _ - @ : /, at most 80 of them.",
    });
  if (knownAgent(governance.ledger.state, agent)?.token !== undefined)
    throw new CheckpointError("conflict", `${agent} is registered already.`, {
      hint: `checkpoint agent show ${agent}`,
    });
  const token = `cairn-agent-${randomBytes(24).toString("base64url")}`;
  const entry = { type: "registration", at: governance.ledger.at, agent, token: digestOf(token) } as const;
  await governance.act({ ...admission, entries: () => [entry] });
  return { agent, token };
}

/** Takes tiers away, or all permission. Nobody needs a key for that. */
export async function lowerAgent(
  governance: Governance,
  admission: Admission,
  { agent, to, reason }: { readonly agent: string; readonly to?: Tier; readonly reason: string },
): Promise<AgentReport> {
  assertReason(reason);
  const { tier, is_revoked } = findAgent(governance, agent);
  if (to !== undefined && to >= tier)
    throw new CheckpointError("usage", `${agent} is at T${tier}: T${to} is not lower.`, {
      hint: `checkpoint agent show ${agent}`,
    });
  const by = admission.claimant.agent ?? PERSON;
  const said = { at: governance.ledger.at, agent, by, reason };
  const entry: LedgerEntry =
    to === undefined ? { type: "revocation", ...said } : { type: "demotion", ...said, to };
  // No budget bounds this, so a second revocation, which changes nothing, is not recorded.
  const isNews = to !== undefined || !is_revoked || (await governance.ask(admission)).decision !== "allow";
  if (isNews) await governance.act({ ...admission, entries: () => [entry] });
  await governance.ledger.pinHead();
  return findAgent(governance, agent);
}

/** What the authority must sign to raise an agent. */
export function promotion(governance: Governance, agent: string, to: Tier): JsonObject {
  const { tier, is_revoked } = findAgent(governance, agent);
  if (is_revoked)
    throw new CheckpointError("refused", `${agent} is revoked.`, {
      hint: `checkpoint agent restore ${agent}`,
    });
  return { type: "promotion", agent, from: tier, to, by: "authority" };
}

const APPROVAL_MS = 24 * 3_600_000;

/** An approval of what was asked for: for one use within a day. Says whether the authority must sign it. */
export function approval(
  { ledger }: Governance,
  id: string,
): { readonly entry: EntryOf<"approval">; readonly needsAuthority: boolean } {
  const request = Object.values(ledger.state.requests).find((asked) => asked.id === id);
  if (request === undefined)
    throw new CheckpointError("not-found", `There is no open request "${id}".`, {
      hint: "checkpoint ledger --type request",
    });
  const { agent, action, alias, digest } = request;
  const now = ledger.now();
  const made = { type: "approval", at: now.toISOString(), agent, request: id } as const;
  const expires = new Date(now.getTime() + APPROVAL_MS).toISOString();
  const entry: EntryOf<"approval"> = { ...made, action, alias, digest, expires };
  return { entry, needsAuthority: needsAuthority(ledger.state, entry) };
}

export function listAgents({ ledger }: Governance): AgentReport[] {
  return Object.entries(ledger.state.agents)
    .filter(([agent]) => agent !== PERSON)
    .map(([agent, record]) => reportOf(ledger, agent, record));
}

/** What the ledger says of an agent. Its tier is the one that it has once it shows its token. */
export function findAgent({ ledger }: Governance, agent: string): AgentReport {
  const record = knownAgent(ledger.state, agent);
  if (record === undefined)
    throw new CheckpointError("not-found", `The ledger knows no agent "${agent}".`, {
      hint: "checkpoint agent list",
    });
  return reportOf(ledger, agent, record);
}

function reportOf({ state, storeId }: Ledger, agent: string, record: AgentRecord): AgentReport {
  const { token, grant: _grant, hour: _hour, ...rest } = record;
  const tier = provenTier(state, storeId, [agent, record]);
  return { agent, ...rest, tier, is_registered: token !== undefined };
}
