import type { Checkpoint } from "../../core/trails/document.ts";
import { CLIENTS } from "../clients/clients.ts";
import type { Cairn } from "../state/cairn.ts";
import type { WorkState } from "../state/work-state.ts";
import type { LentStore } from "./context.ts";
import type { HookEvent } from "./events/hook-event.ts";
import { isSame } from "./reduce/set.ts";
import { notesOf } from "./save.ts";
import { loadIfAny } from "./trails/unfinished.ts";

/** The checkpoint whose record the conversation was given since its last compaction; undefined if there is none left. */
export async function recordInConversation(
  cairn: Cairn,
  { client }: HookEvent,
  { trail, state }: Checkpoint<WorkState>,
): Promise<Checkpoint<WorkState> | undefined> {
  const given = CLIENTS[client].keepsContext ? state.session?.record_given : undefined;
  return given === undefined ? undefined : loadIfAny(cairn, trail, { id: given });
}

/** Notes which record was given. A commit of its own: a checkpoint cannot hold its own id. */
export async function noteRecord(
  { cairn, commit }: LentStore,
  hook: HookEvent,
  { trail, checkpoint_id }: Checkpoint<WorkState>,
): Promise<void> {
  if (!CLIENTS[hook.client].keepsContext) return;
  await commit({
    trail: cairn.trail(trail),
    change: ({ session }) => {
      if (session !== undefined) session.record_given = checkpoint_id;
    },
    options: { ...notesOf(hook), ifChanged: true },
    beginsTurn: false,
    // What cannot be saved is given again: that is all that is lost.
  }).catch(() => undefined);
}

/** What others may have changed. The session's own prompts, commands and files are in its conversation. */
const FIELDS = [
  ...(["goal", "next_action", "phase", "blockers", "checks_failing", "approvals_pending", "tasks"] as const),
  ...(["constraints", "decisions", "gotchas", "success_criteria", "subagents"] as const),
];

/** The fields that differ, with what is new in each. */
export function changedWork(before: WorkState, after: WorkState): Partial<WorkState> {
  const isKnown = (name: (typeof FIELDS)[number], item: unknown) =>
    [before[name]].flat().some((each) => isSame(each, item));
  const changed = FIELDS.filter((name) => !isSame(before[name], after[name]));
  return Object.fromEntries(
    changed.map((name) => {
      const now = after[name];
      return [name, Array.isArray(now) ? now.filter((item) => !isKnown(name, item)) : now];
    }),
  );
}
