import type { CommitNotes } from "../../core/trails/document.ts";
import { isCheckpointError } from "../../core/errors.ts";
import { CLIENTS } from "../clients/clients.ts";
import type { LentStore } from "./context.ts";
import type { HookEvent } from "./events/hook-event.ts";
import { reduce, type TrailEvent } from "./reduce/reduce.ts";

/** Commits what an event says. Returns whether that changed anything: it does not if it was saved before. */
export async function save({ cairn, commit }: LentStore, trail: string, event: TrailEvent): Promise<boolean> {
  const { hook, id } = event;
  try {
    const { unchanged = false } = await commit({
      trail: cairn.trail(trail),
      change: (draft) => reduce(draft, event),
      options: { ...notesOf(hook), ifChanged: true, foreignId: id },
      beginsTurn: hook.moment === "prompt",
    });
    return !unchanged;
  } catch (error) {
    if (isCheckpointError(error, "conflict") && error.details["foreignId"] === id) return false;
    throw error;
  }
}

/** What a commit for an event records. */
export function notesOf({ name, sessionId, client }: HookEvent): CommitNotes & { readonly trigger: string } {
  return { trigger: `hook:${name}`, session_id: sessionId, agent_id: CLIENTS[client].id };
}
