import { asList, own, textOf } from "../../core/text/untrusted.ts";
import type { Checkpoint } from "../../core/trails/document.ts";
import type { AgentClient } from "../clients/client.ts";
import { CLIENTS } from "../clients/clients.ts";
import type { Cairn } from "../state/cairn.ts";
import type { WorkState } from "../state/work-state.ts";
import type { LentStore } from "./context.ts";
import type { HookEvent } from "./events/hook-event.ts";
import { isSame } from "./reduce/set.ts";
import { notesOf } from "./save.ts";
import { loadIfAny } from "./trails/unfinished.ts";
import { linesAtEnd } from "./transcripts/transcript.ts";

/**
 * The checkpoint whose record the conversation was given since its last compaction. The client's transcript knows best;
 * where it does not tell, the session's own state does. Undefined if there is none, or if it was pruned.
 */
export async function recordInConversation(
  cairn: Cairn,
  { fields, client }: HookEvent,
  { trail, state }: Checkpoint<WorkState>,
): Promise<Checkpoint<WorkState> | undefined> {
  const { keepsContext, conversation } = CLIENTS[client];
  if (!keepsContext) return undefined;
  const { id, isLost } = recordInTranscript(textOf(fields, "transcript_path"), conversation);
  const given = isLost ? undefined : (id ?? textOf(own(state, "session"), "record_given"));
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

/** Enough for a long conversation; read when a session is resumed. */
const CONVERSATION_BYTES = 16 * 2 ** 20;
const RECORD =
  /Cairn(?:'s| kept this) record of your session.*?checkpoint load (?<id>ckpt-[\w-]{1,80}) --json/;

/** The checkpoint whose record was given last since the last compaction; `isLost` if there was none since that. */
function recordInTranscript(
  path: string | undefined,
  conversation: AgentClient["conversation"],
): { id: string | undefined; isLost: boolean } {
  if (conversation === undefined) return { id: undefined, isLost: false };
  const lines = linesAtEnd(path, CONVERSATION_BYTES);
  const compactedAt = lines.findLastIndex((line) => conversation.compacted.test(line));
  const told = lines
    .slice(compactedAt + 1)
    .findLast((line) => conversation.told.test(line) && RECORD.test(line));
  const id = told === undefined ? undefined : RECORD.exec(told)?.groups?.["id"];
  return { id, isLost: id === undefined && compactedAt >= 0 };
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

function missingFrom(known: unknown, items: unknown): unknown[] {
  return asList(items).filter((item) => !asList(known).some((each) => isSame(each, item)));
}
