import { isCheckpointError } from "../../../core/errors.ts";
import { decode } from "../../../core/objects/decode.ts";
import type { JsonObject } from "../../../core/objects/json.ts";
import type { ObjectId } from "../../../core/objects/object-id.ts";
import { readChecked } from "../../../core/objects/read-tree.ts";
import type { Store, StoredCheckpoint } from "../../../core/store/contract.ts";
import { DAMAGED, infoOrDamage, readCheckpoint, type CheckpointInfo } from "../../../core/trails/document.ts";
import { momentOf } from "../../sessions/events/hook-event.ts";
import type { FeedNews, FeedSource } from "./feed-event.ts";

/** Everything that a commit means, the commit itself first. What cannot be read any more is left out, never guessed. */
export async function newsOfCommit(
  store: Store,
  stored: StoredCheckpoint,
  sources: readonly FeedSource[],
): Promise<{ readonly at: string; readonly news: readonly FeedNews[] }> {
  const checkpoint = infoOrDamage(stored);
  const reading = sources.filter(({ reads }) => reads(stored.trail));
  const derived =
    reading.length === 0 || checkpoint.trigger === DAMAGED ? [] : await between(store, stored, reading);
  const news = [
    { kind: "commit", type: "committed", checkpoint } as const,
    ...ofSession(checkpoint),
    ...derived,
  ];
  return { at: checkpoint.created_at, news };
}

const SESSION_MOMENTS = {
  start: "session-started",
  prompt: "session-prompted",
  stop: "session-stopped",
  end: "session-ended",
} as const;

/** What hooks saved says in its trigger what happened. A sub-agent's trail tells nothing of the session. */
function ofSession({ trigger, session_id, agent_id, trail }: CheckpointInfo): FeedNews[] {
  if (session_id === null || !trigger.startsWith("hook:") || trail.includes("/agent/")) return [];
  const moments: Partial<Record<string, (typeof SESSION_MOMENTS)[keyof typeof SESSION_MOMENTS]>> =
    SESSION_MOMENTS;
  const type = moments[momentOf(trigger.slice("hook:".length)) ?? ""];
  return type === undefined ? [] : [{ kind: "session", type, session: session_id, client: agent_id }];
}

/**
 * Nothing where the state before, or this one, is damaged or was pruned: what changed cannot be known. Nor for an imported
 * state that only looks like one: a commit that no part understands must not stop the feed for good.
 */
async function between(
  store: Store,
  stored: StoredCheckpoint,
  sources: readonly FeedSource[],
): Promise<FeedNews[]> {
  try {
    const before = stored.parent && (await stateAt(store, stored.parent));
    const after = await stateOf(store, stored);
    return sources.flatMap((source) => source.ofCommit?.(before, after) ?? []);
  } catch (error) {
    if (isCheckpointError(error, "corrupt") || error instanceof TypeError) return [];
    throw error;
  }
}

async function stateAt(store: Store, id: ObjectId): Promise<JsonObject> {
  const objects = await readChecked([id], (ids) => store.readObjects(ids));
  return stateOf(store, { id, bytes: objects.get(id) as Uint8Array });
}

async function stateOf(
  store: Store,
  { id, bytes }: Pick<StoredCheckpoint, "id" | "bytes">,
): Promise<JsonObject> {
  return (await decode(readCheckpoint(id, bytes).root, (ids) => store.readObjects(ids))) as JsonObject;
}
