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
const SINGLE = ["goal", "next_action", "phase"] as const;
/** Lists whose items go when they are settled, and others. */
const SETTLED = ["blockers", "checks_failing", "approvals_pending"] as const;
const LISTED = ["tasks", "constraints", "decisions", "gotchas", "success_criteria", "subagents"] as const;

/** What is new or different, and how many blockers, failing checks and approvals are gone; undefined if nothing changed. */
export function changedWork(
  before: WorkState,
  after: WorkState,
): { state: Partial<WorkState>; settled: number } | undefined {
  const state: Record<string, unknown> = {};
  for (const name of SINGLE)
    if (after[name] !== undefined && !isSame(before[name], after[name])) state[name] = after[name];
  for (const name of [...SETTLED, ...LISTED]) {
    const fresh = missingFrom(before[name], after[name]);
    if (fresh.length > 0) state[name] = fresh;
  }
  const settled = SETTLED.flatMap((name) => missingFrom(after[name], before[name])).length;
  return Object.keys(state).length === 0 && settled === 0 ? undefined : { state, settled };
}

function missingFrom(known: readonly unknown[] = [], items: readonly unknown[] = []): unknown[] {
  return items.filter((item) => !known.some((each) => isSame(each, item)));
}
