import type { Cairn } from "../state/cairn.ts";
import type { CommitNotes } from "../../core/trails/document.ts";
import type { Trail } from "../../core/trails/trail.ts";
import type { WorkState } from "../state/work-state.ts";
import { isCheckpointError } from "../../core/errors.ts";
import { CLIENTS } from "../clients/clients.ts";
import type { LentStore } from "./context.ts";
import type { HookEvent } from "./events/hook-event.ts";
import { reduce, type TrailEvent } from "./reduce/reduce.ts";

/** A trail's handle remembers the last state: a server's next commit then costs half. */
const handles = new WeakMap<Cairn, Map<string, Trail<WorkState>>>();
const MOST_HANDLES = 16;

/** Commits what an event says. Returns whether that changed anything: it does not if it was saved before. */
export async function save({ cairn, commit }: LentStore, trail: string, event: TrailEvent): Promise<boolean> {
  const { hook, id } = event;
  try {
    const { unchanged = false } = await commit({
      trail: handleOf(cairn, trail),
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

function handleOf(cairn: Cairn, name: string): Trail<WorkState> {
  const known = handles.get(cairn) ?? new Map<string, Trail<WorkState>>();
  handles.set(cairn, known);
  const trail = known.get(name) ?? cairn.trail(name);
  known.delete(name);
  known.set(name, trail);
  for (const oldest of known.keys()) if (known.size > MOST_HANDLES) known.delete(oldest);
  return trail;
}
