import type { UnfinishedStart } from "../../../work/project/gate.ts";
import { setOwn, type JsonObject } from "../../../core/objects/json.ts";
import { DEFAULT_POLICY, type Policy, type Tier } from "../policy/policy.ts";
import type { EntryOf, LedgerEntry } from "./entry.ts";

/** What the ledger says of an agent. */
export type AgentRecord = {
  tier: Tier;
  is_revoked: boolean;
  /** SHA-256 of its token, once it is registered. */
  token?: string;
  /** When it got its tier, or was first seen. */
  since: string;
  /** Allowed actions since its last violation. */
  clean_actions: number;
  actions: number;
  violations: number;
  /** Evidence of commands that succeeded. */
  evidence: number;
  /** Actions in the hour that began then. */
  hour: { start: string; used: number };
  /** The signed entry that its tier comes from, where that is above T1 and not by a rule. */
  grant?: LedgerEntry;
};

/** What follows from the ledger. Plain JSON, because seals carry it. */
export type GovernanceState = {
  /** The authority's keys, the newest last: old ones stay, to check what they signed. */
  authority: EntryOf<"authority">[];
  /** The first key that ever called itself the authority here. If it is not the accepted one, nobody's word counts. */
  founder?: string;
  /** How many statements the authority has signed. */
  serial: number;
  policy?: EntryOf<"policy">;
  agents: Record<string, AgentRecord>;
  requests: Record<string, EntryOf<"request">>;
  /** Those that can still be used. */
  approvals: Record<string, EntryOf<"approval">>;
  /** Tasks that are not over, by trail and id. */
  tasks: Record<string, EntryOf<"task">>;
  /** The last entry of each refusal, by `refusalKey`: what is refused again and again is only counted. Absent until there is one. */
  refusals?: Record<string, { at: string; agent: string; checkpoint: string }>;
  /** The agent whose turn each session's newest capture is of. Absent until there is one. */
  turns?: Record<string, string>;
  /** Commands that were started and have no end yet. Absent until one is started: seals of earlier versions have none. */
  starts?: Record<string, UnfinishedStart>;
  /** Entries that claim what nobody signed. Each becomes a violation. */
  forged: { number: number; trail?: string; agent: string; what: string }[];
  /** Violations that were found outside of the ledger, so that each is recorded once. */
  noted: string[];
  /** The last sealed entry. */
  sealed: number;
};

export function emptyState(): GovernanceState {
  const byName = { agents: {}, requests: {}, approvals: {}, tasks: {} };
  return { authority: [], serial: 0, ...byName, forged: [], noted: [], sealed: 0 };
}

export function policyOf(state: GovernanceState): Policy {
  return state.policy?.policy ?? DEFAULT_POLICY;
}

/** The record of an agent that was seen. Names are untrusted: `__proto__` is one like any other. */
export function knownAgent({ agents }: GovernanceState, agent: string): AgentRecord | undefined {
  return Object.hasOwn(agents, agent) ? agents[agent] : undefined;
}

/** The record of an agent, made when it is first seen: at T0. */
export function agentIn(state: GovernanceState, agent: string, at: string): AgentRecord {
  if (knownAgent(state, agent) === undefined) {
    const counts = { clean_actions: 0, actions: 0, violations: 0, evidence: 0 };
    const hour = { start: hourOf(at), used: 0 };
    const fresh: AgentRecord = { tier: 0, is_revoked: false, since: at, ...counts, hour };
    setOwn(state.agents as unknown as JsonObject, agent, fresh as unknown as JsonObject);
  }
  return state.agents[agent] as AgentRecord;
}

/** The session that a trail belongs to: what its sub-agents save is part of its turn. */
export const sessionOf = (trail: string) => trail.replace(/\/agent\/.*$/s, "");

/** Whether the ledger has an entry for the turn of this session, by this agent. */
export function isInTurn({ turns = {} }: GovernanceState, trail: string, agent: string): boolean {
  const session = sessionOf(trail);
  return Object.hasOwn(turns, session) && turns[session] === agent;
}

/** Budgets are counted by the hour of the clock. */
export const hourOf = (at: string) => at.slice(0, 13);

/** How many actions an agent has used in its hour. A clock that was set back begins no new hour. */
export const usedAt = ({ hour }: AgentRecord, at: string) => (hourOf(at) > hour.start ? 0 : hour.used);
