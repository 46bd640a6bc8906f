import type { Cairn } from "../checkpoints/cairn.ts";
import type { Checkpoint } from "../checkpoints/document.ts";
import type { WorkState } from "../checkpoints/work-state.ts";
import { own, textOf } from "../text/untrusted.ts";
import { CLIENT_INFO } from "./client-info.ts";
import type { ClientName, LentStore } from "./context.ts";
import type { HookEvent } from "./events/hook-event.ts";
import { recordInContext } from "./read-transcript.ts";
import { loadIfAny } from "./trails/unfinished.ts";

/** Clients whose conversations keep what a hook added to them. The others forget it when a session is resumed. */
const KEEPS_IT: ReadonlySet<ClientName> = new Set(["claude", "codex", "cursor"]);

/**
 * The checkpoint whose record the conversation was given since its last compaction. The client's transcript knows best;
 * where it does not tell, the session's own state does. Undefined if there is none, or if it was pruned.
 */
export async function givenRecord(
  cairn: Cairn,
  { fields, client }: HookEvent,
  { trail, state }: Checkpoint<WorkState>,
): Promise<Checkpoint<WorkState> | undefined> {
  if (!KEEPS_IT.has(client)) return undefined;
  const { id, isLost } = recordInContext(textOf(fields, "transcript_path"));
  const given = isLost ? undefined : (id ?? textOf(own(state, "session"), "record_given"));
  return given === undefined ? undefined : loadIfAny(cairn, trail, { id: given });
}

/** Notes which record was given. A commit of its own: a checkpoint cannot hold its own id. */
export async function noteGivenRecord(
  { cairn, commit }: LentStore,
  { name, sessionId, client }: HookEvent,
  { trail, checkpoint_id }: Checkpoint<WorkState>,
): Promise<void> {
  if (!KEEPS_IT.has(client)) return;
  await commit({
    trail: cairn.trail(trail),
    change: ({ session }) => {
      if (session !== undefined) session.record_given = checkpoint_id;
    },
    options: {
      trigger: `hook:${name}`,
      session_id: sessionId,
      agent_id: CLIENT_INFO[client].id,
      ifChanged: true,
    },
    beginsTurn: false,
    // What cannot be saved is given again: that is all that is lost.
  }).catch(() => undefined);
}
