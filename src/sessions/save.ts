import type { Cairn } from "../checkpoints/cairn.ts";
import { completeWorkState } from "../checkpoints/complete-work-state.ts";
import type { Trail } from "../checkpoints/trail.ts";
import type { WorkState } from "../checkpoints/work-state.ts";
import type { Said } from "./events/facts.ts";
import { reduce, type Known } from "./reduce/reduce.ts";
import { CLIENT_NAMES } from "./reduce/reduce-session.ts";

/** Handles of trails remember the last state, so that a server's next commit costs only what changed. */
const handles = new WeakMap<Cairn, Map<string, Trail<WorkState>>>();
const MOST_HANDLES = 16;

export function trailOf(cairn: Cairn, name: string): Trail<WorkState> {
  const known = handles.get(cairn) ?? new Map<string, Trail<WorkState>>();
  handles.set(cairn, known);
  const trail = known.get(name) ?? cairn.trail(name);
  // Put last again: the one that was used longest ago is forgotten first.
  known.delete(name);
  known.set(name, trail);
  for (const oldest of known.keys()) {
    if (known.size <= MOST_HANDLES) break;
    known.delete(oldest);
  }
  return trail;
}

/** Commits what an event says. Returns whether that changed anything. */
export async function save(trail: Trail<WorkState>, known: Known, said: Said): Promise<boolean> {
  const { event } = known;
  const { unchanged = false } = await trail.commit(
    (draft) => {
      completeWorkState(draft, trail.name);
      reduce(draft, known, said);
    },
    {
      trigger: `hook:${event.name}`,
      session_id: event.sessionId,
      agent_id: CLIENT_NAMES[event.client],
      ifChanged: true,
    },
  );
  return !unchanged;
}
