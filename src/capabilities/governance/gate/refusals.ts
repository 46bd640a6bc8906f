import { isCheckpointError } from "../../../core/errors.ts";
import type { ObjectId } from "../../../core/objects/object-id.ts";
import type { Store } from "../../../core/store/contract.ts";
import type { Ledger } from "../ledger/ledger.ts";
import { refusalKey } from "../state/apply-entry.ts";
import type { EntryOf } from "../state/entry.ts";
import { hourOf, knownAgent, type GovernanceState } from "../state/governance-state.ts";
import type { GateAnswer } from "./refusal.ts";

/** How many different refusals of one agent, and of all agents without a token together, an hour's entries name one by one. */
const MOST_OF_ONE = 20;
const MOST_OF_UNREGISTERED = 60;

/** How many requests of one agent, and of all agents without a token together, may be open. All that are open are kept. */
const MOST_OPEN = 20;
const MOST_OPEN_UNREGISTERED = 60;
const MOST_OPEN_AT_ALL = 180;

/** What a ledger says of a refusal. One agent, or many made-up ones, that are refused in many ways share an entry. */
export function refusalOfMany(
  { state, at }: Ledger,
  { agent, action, reasons }: GateAnswer,
): Pick<EntryOf<"violation">, "agent" | "action" | "what"> {
  const one = { agent, action, what: reasons.join("; ") };
  const known = state.refusals ?? {};
  if (Object.hasOwn(known, refusalKey(one))) return one;
  const recent = Object.values(known).filter((refusal) => hourOf(refusal.at) === hourOf(at));
  if (recent.filter((refusal) => refusal.agent === agent).length >= MOST_OF_ONE)
    return { agent, action: undefined, what: "it was refused in many ways" };
  const others = recent.filter((refusal) => !isRegistered(state, refusal.agent));
  if (!isRegistered(state, agent) && others.length >= MOST_OF_UNREGISTERED)
    return { agent: "unknown", action: undefined, what: "many agents without a token were refused" };
  return one;
}

/** The checkpoint that counts a refusal, if an entry of this hour has it and the agent has done nothing since: then it is only counted. */
export function countedAt(
  { state, at }: Ledger,
  refusal: ReturnType<typeof refusalOfMany>,
): ObjectId | undefined {
  const key = refusalKey(refusal);
  const known = Object.hasOwn(state.refusals ?? {}, key) ? state.refusals?.[key] : undefined;
  if (known === undefined || hourOf(known.at) !== hourOf(at)) return undefined;
  // Another refusal begins the agent's count of clean actions again, so that one is an entry.
  return (knownAgent(state, refusal.agent)?.clean_actions ?? 0) > 0
    ? undefined
    : (known.checkpoint as ObjectId);
}

const RECORD = "refused-again";

/** How often each refusal was repeated, by the checkpoint that counts it. */
export async function repeatsOf(
  store: Store,
  checkpoints: readonly ObjectId[],
): Promise<Map<ObjectId, number>> {
  const found = await store.attachments(checkpoints);
  return new Map(
    [...found].map(([id, records]) => [id, Number(Buffer.from(records.get(RECORD) ?? []).toString())]),
  );
}

/** Counts one more, in place. Returns false if what counts it was removed. */
export async function countRefusal({ store }: Ledger, checkpoint: ObjectId): Promise<boolean> {
  const before = (await repeatsOf(store, [checkpoint])).get(checkpoint) ?? 0;
  try {
    await store.attach(checkpoint, new Map([[RECORD, Buffer.from(`${before + 1}`)]]));
    return true;
  } catch (error) {
    if (isCheckpointError(error, "not-found")) return false;
    throw error;
  }
}

/** Why one more request is not recorded: another agent's would have to make room. */
export function whyNoRoom({ state }: Ledger, agent: string): string | undefined {
  const open = Object.values(state.requests);
  const own = open.filter((request) => request.agent === agent).length;
  if (own >= MOST_OPEN) return `${own} requests of ${agent} are open`;
  const others = open.filter((request) => !isRegistered(state, request.agent)).length;
  if (!isRegistered(state, agent) && others >= MOST_OPEN_UNREGISTERED)
    return `${others} requests of agents without a token are open`;
  return open.length >= MOST_OPEN_AT_ALL ? `${open.length} requests are open` : undefined;
}

const isRegistered = (state: GovernanceState, agent: string) => knownAgent(state, agent)?.token !== undefined;
