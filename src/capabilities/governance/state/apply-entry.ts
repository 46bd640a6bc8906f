import { setOwn, type JsonObject } from "../../../core/objects/json.ts";
import type { LogEntry } from "../../../core/store/contract.ts";
import { CAPTURE, isRationed, ruleFor, type Tier } from "../policy/policy.ts";
import { noteFounder, whyNotDecreed, type LedgerTrust } from "./decrees.ts";
import type { Asked, Decreed, EntryOf, EntryType, LedgerEntry } from "./entry.ts";
import {
  agentIn,
  hourOf,
  knownAgent,
  policyOf,
  sessionOf,
  usedAt,
  type GovernanceState,
} from "./governance-state.ts";
import { earnedTier } from "./promotion.ts";
import { isEntry } from "./entry-shape.ts";
import { UNATTESTED } from "./standing.ts";

type Forged = GovernanceState["forged"][number];
type Logged = Pick<LogEntry, "number" | "trail" | "entry">;

/** How many open requests and remembered findings are kept: an agent that asks without end fills no memory. */
const MOST_KEPT = 200;

/**
 * Takes the next entry of the ledger into account. An entry that claims what its writer could not grant changes
 * nothing and is listed as forged, and returned: anybody who can write to the file can append to a chain of hashes.
 */
export function applyEntry(state: GovernanceState, trust: LedgerTrust, logged: Logged): Forged | undefined {
  const { number, entry: raw } = logged;
  const entry = raw as unknown as LedgerEntry;
  if (!isEntry(raw)) return forge(state, logged, "unknown", "it is not an entry of a ledger");
  if (logged.trail !== undefined && !isPlain(state, entry))
    return forge(state, logged, entry.agent, `${entry.type}: it does not belong into the chain of a trail`);
  noteFounder(state, trust.storeId, entry);
  const isDecree = mustBeDecreed(state, entry);
  const why = isDecree ? whyNotDecreed(state, trust, entry) : whyForged(state, entry);
  if (why !== undefined) return forge(state, logged, entry.agent, `${entry.type}: ${why}`);
  // No other entry counts the authority's statements: else they could be counted back, and said again.
  if (isDecree) state.serial = (entry as Partial<Decreed>).serial as number;
  (EFFECTS[entry.type] as Effect<EntryType>)(state, entry, number);
  // What expired stays so when a clock is set back.
  for (const { request, expires } of Object.values(state.approvals))
    if (expires < entry.at) Reflect.deleteProperty(state.approvals, request);
  return undefined;
}

/**
 * Whether an entry only adds to counts. Such entries give the same state in whatever order they come, as long as no other
 * comes between, so that each trail can have them in a chain of its own.
 */
export function isPlain(state: GovernanceState, entry: LedgerEntry): entry is EntryOf<"action"> {
  if (entry.type !== "action" || entry.approval !== undefined || entry.action === CAPTURE) return false;
  return knownAgent(state, entry.agent)?.hour.start === hourOf(entry.at);
}

function mustBeDecreed(state: GovernanceState, entry: LedgerEntry): boolean {
  if (entry.type === "promotion") return entry.by !== "rule";
  if (entry.type === "approval") return needsAuthority(state, entry);
  return ["authority", "policy", "restoration"].includes(entry.type);
}

function whyForged(state: GovernanceState, entry: LedgerEntry): string | undefined {
  const { type } = entry;
  if (type === "promotion") {
    const earned = earnedTier(policyOf(state), agentOf(state, entry), entry.at);
    return earned !== undefined && entry.to <= earned ? undefined : "no rule allows it";
  }
  if (type === "action") return whyNotAllowed(state, entry);
  if (type === "approval" && entry.by === entry.agent) return "its agent gave it to itself";
  if (type === "demotion" && entry.to > agentOf(state, entry).tier) return "it would raise the tier";
  if (type === "registration" && agentOf(state, entry).token !== undefined) return "it is registered already";
  return undefined;
}

/** The gate decides in the transaction that records the action, so it cannot have allowed this. */
function whyNotAllowed(
  state: GovernanceState,
  { agent, tier, approval }: EntryOf<"action">,
): string | undefined {
  const record = knownAgent(state, agent);
  if (record?.is_revoked) return "its agent is revoked";
  if (tier > Math.max(record?.tier ?? 0, UNATTESTED)) return `its agent is not at T${tier}`;
  if (approval !== undefined && !Object.hasOwn(state.approvals, approval))
    return "it was not approved, or the approval was used or has expired";
  return undefined;
}

/** Only what anybody at a terminal may do anyway can be approved there. */
export function needsAuthority(state: GovernanceState, { action, alias = action }: Asked): boolean {
  return [action, alias].some((name) => {
    const rule = ruleFor(policyOf(state), name);
    return rule === undefined || rule.approval === "authority" || rule.tier >= 2;
  });
}

type Effect<Type extends EntryType> = (state: GovernanceState, entry: EntryOf<Type>, number: number) => void;

/** What follows from an entry that counts. */
const EFFECTS: { readonly [Type in EntryType]: Effect<Type> } = {
  action: countAction,
  violation: noteViolation,
  registration: (state, entry) => void (agentOf(state, entry).token = entry.token),
  promotion: raise,
  demotion: (state, entry) =>
    void Object.assign(agentOf(state, entry), { tier: entry.to, since: entry.at, clean_actions: 0 }),
  revocation: (state, entry) => void (agentOf(state, entry).is_revoked = true),
  restoration: raise,
  request: (state, entry) => putBounded(state.requests, entry.id, entry),
  approval(state, entry) {
    Reflect.deleteProperty(state.requests, entry.request);
    putBounded(state.approvals, entry.request, entry);
  },
  policy: (state, entry) => void (state.policy = entry),
  authority: (state, entry) => void state.authority.push(entry),
  task: applyTask,
  start(state, { start, at, agent, action }, number) {
    putBounded((state.starts ??= {}), start, { start, number, at, agent, action });
  },
  evidence(state, entry) {
    if (entry.success) agentOf(state, entry).evidence++;
    if (entry.start !== undefined) Reflect.deleteProperty(state.starts ?? {}, entry.start);
  },
  seal: (state, _, number) => void (state.sealed = number),
};

const agentOf = (state: GovernanceState, { agent, at }: LedgerEntry) => agentIn(state, agent, at);

function countAction(state: GovernanceState, entry: EntryOf<"action">): void {
  const { at, approval } = entry;
  const agent = agentOf(state, entry);
  agent.actions++;
  if (entry.action === CAPTURE) return noteTurn(state, entry);
  const isFree = entry.free === true && !isRationed(entry.action);
  agent.clean_actions++;
  const { start } = agent.hour;
  const used = usedAt(agent, at) + (isFree ? 0 : 1);
  agent.hour = { start: start > hourOf(at) ? start : hourOf(at), used };
  if (approval !== undefined) Reflect.deleteProperty(state.approvals, approval);
}

/** A turn is the client's record. It earns the agent nothing, and costs it nothing. */
function noteTurn(state: GovernanceState, { trail, agent }: EntryOf<"action">): void {
  state.turns ??= {};
  if (trail !== undefined) putBounded(state.turns, sessionOf(trail), agent);
}

function noteViolation(state: GovernanceState, entry: EntryOf<"violation">): void {
  const agent = agentOf(state, entry);
  agent.violations++;
  agent.clean_actions = 0;
  state.forged = state.forged.filter(({ number, trail }) => number !== entry.entry || trail !== entry.trail);
  if (entry.checkpoint !== undefined) return noteRefusal(state, entry, entry.checkpoint);
  if (entry.entry === undefined) state.noted = [...state.noted, noteOf(entry)].slice(-MOST_KEPT);
}

function noteRefusal(state: GovernanceState, entry: EntryOf<"violation">, checkpoint: string): void {
  const { agent, at } = entry;
  state.refusals ??= {};
  putBounded(state.refusals, refusalKey(entry), { at, agent, checkpoint });
}

/** What tells one refusal from another. */
export const refusalKey = ({
  agent,
  action,
  what,
}: Pick<EntryOf<"violation">, "agent" | "action" | "what">) => `${agent}\n${action}\n${what}`;

/** What tells one finding outside of the ledger from another. */
export const noteOf = ({ rule, agent, what }: EntryOf<"violation">) => `${rule}\n${agent}\n${what}`;

function raise(state: GovernanceState, entry: LedgerEntry & { to: Tier }): void {
  const agent = agentOf(state, entry);
  Object.assign(agent, { tier: entry.to, since: entry.at, clean_actions: 0, evidence: 0 });
  if (entry.type === "restoration") agent.is_revoked = false;
  if (!("serial" in entry) || entry.serial === undefined) return;
  agent.grant = entry;
  // The way back for an agent that acted while a clock was ahead.
  agent.hour = { start: hourOf(entry.at), used: 0 };
}

function applyTask(state: GovernanceState, entry: EntryOf<"task">): void {
  const key = `${entry.trail}#${entry.task}`;
  const isOver = entry.status === "completed" || entry.status === "cancelled";
  if (isOver) Reflect.deleteProperty(state.tasks, key);
  else putBounded(state.tasks, key, entry);
}

function putBounded<Value>(into: Record<string, Value>, key: string, value: Value): void {
  Reflect.deleteProperty(into, key);
  setOwn(into as unknown as JsonObject, key, value as unknown as JsonObject);
  const keys = Object.keys(into);
  if (keys.length > MOST_KEPT) Reflect.deleteProperty(into, keys[0] as string);
}

/** Kept sorted by chain, because entries of trails come in any order. */
function forge({ forged }: GovernanceState, { number, trail }: Logged, agent: string, what: string) {
  const found = { number, ...(trail === undefined ? {} : { trail }), agent, what };
  const at = forged.findIndex((one) => (one.trail ?? "") > (trail ?? ""));
  forged.splice(at < 0 ? forged.length : at, 0, found);
  return found;
}
