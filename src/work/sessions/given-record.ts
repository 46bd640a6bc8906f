import type { Cairn } from "../state/cairn.ts";
import type { Checkpoint } from "../../core/trails/document.ts";
import type { WorkState } from "../state/work-state.ts";
import { own, textOf } from "../../core/text/untrusted.ts";
import { CLIENTS } from "../clients/clients.ts";
import type { AgentClient } from "../clients/client.ts";
import type { LentStore } from "./context.ts";
import type { HookEvent } from "./events/hook-event.ts";
import { linesAtEnd } from "./transcripts/transcript.ts";
import { loadIfAny } from "./trails/unfinished.ts";

/**
 * The checkpoint whose record the conversation was given since its last compaction. The client's transcript knows best;
 * where it does not tell, the session's own state does. Undefined if there is none, or if it was pruned.
 */
export async function givenRecord(
  cairn: Cairn,
  { fields, client }: HookEvent,
  { trail, state }: Checkpoint<WorkState>,
): Promise<Checkpoint<WorkState> | undefined> {
  if (!CLIENTS[client].keepsContext) return undefined;
  const { id, isLost } = recordInContext(textOf(fields, "transcript_path"), CLIENTS[client].conversation);
  const given = isLost ? undefined : (id ?? textOf(own(state, "session"), "record_given"));
  return given === undefined ? undefined : loadIfAny(cairn, trail, { id: given });
}

/** Notes which record was given. A commit of its own: a checkpoint cannot hold its own id. */
export async function noteGivenRecord(
  { cairn, commit }: LentStore,
  { name, sessionId, client }: HookEvent,
  { trail, checkpoint_id }: Checkpoint<WorkState>,
): Promise<void> {
  if (!CLIENTS[client].keepsContext) return;
  await commit({
    trail: cairn.trail(trail),
    change: ({ session }) => {
      if (session !== undefined) session.record_given = checkpoint_id;
    },
    options: {
      trigger: `hook:${name}`,
      session_id: sessionId,
      agent_id: CLIENTS[client].id,
      ifChanged: true,
    },
    beginsTurn: false,
    // What cannot be saved is given again: that is all that is lost.
  }).catch(() => undefined);
}

/** Enough for a long conversation; read when a session is resumed. */
const CONVERSATION_BYTES = 16 * 2 ** 20;
const RECORD =
  /Cairn(?:'s| kept this) record of your session.*?checkpoint load (?<id>ckpt-[\w-]{1,80}) --json/;

/** The checkpoint whose record was given last since the last compaction; `isLost` if there was none since that. */
function recordInContext(
  path: string | undefined,
  conversation: AgentClient["conversation"],
): { id: string | undefined; isLost: boolean } {
  if (conversation === undefined) return { id: undefined, isLost: false };
  const { told: isTold, compacted } = conversation;
  const lines = linesAtEnd(path, CONVERSATION_BYTES);
  const compactedAt = lines.findLastIndex((line) => compacted.test(line));
  const told = lines.slice(compactedAt + 1).findLast((line) => isTold.test(line) && RECORD.test(line));
  const id = told === undefined ? undefined : RECORD.exec(told)?.groups?.["id"];
  return { id, isLost: id === undefined && compactedAt >= 0 };
}
