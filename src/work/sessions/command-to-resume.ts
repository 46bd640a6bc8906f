import type { Checkpoint } from "../../core/trails/document.ts";
import type { AgentSession, WorkState } from "../state/work-state.ts";
import { own, textOf } from "../../core/text/untrusted.ts";
import { CLIENTS, clientWithId } from "../clients/clients.ts";
import { isOver, RUN_TRAIL_PREFIX, type RunStatus } from "../state/run-trail.ts";

/**
 * The exact command that resumes the work of a checkpoint: the run's, or that of the client whose session it was; if
 * there is neither, the command that shows where the work stands. `root` is the folder to type it in.
 */
export function commandToResume({ trail, state }: Checkpoint<WorkState>, root: string): string {
  return runCommand(trail, state) ?? sessionCommand(trail, state, root) ?? statusCommand(trail);
}

export function statusCommand(trail: string): string {
  return `checkpoint status --trail ${trail}`;
}

function runCommand(trail: string, state: WorkState): string | undefined {
  if (!trail.startsWith(RUN_TRAIL_PREFIX)) return undefined;
  const { run } = state;
  const status = textOf(run, "status");
  if (status === undefined || isOver(status as RunStatus)) return undefined;
  const definition = own(run, "definition");
  // What the steps of an imported run do must be given. Nothing here was checked, so its shape is not believed.
  const isImported =
    Array.isArray(definition) && definition.some((step) => textOf(step, "kind") === "imported");
  return `checkpoint resume ${trail.slice(RUN_TRAIL_PREFIX.length)}${isImported ? " --workflow FILE" : ""}`;
}

/** A fork of a session's trail still names the session, but is not that session. */
function sessionCommand(trail: string, state: WorkState, root: string): string | undefined {
  const command = trail.startsWith("session/") ? resumeCommand(state.session) : undefined;
  const folder = state.session?.cwd ?? root;
  if (command === undefined || folder === root) return command;
  // A client finds a session only from where it was started. This is outside the fence: no folder with words in it.
  return /^[\w/.+-]{1,200}$/.test(folder) ? `cd ${folder} && ${command}` : undefined;
}

/** The client's own command to resume a session, if both are known. */
export function resumeCommand(session: AgentSession | undefined): string | undefined {
  const id = safeId(session?.id);
  const client = clientWithId(session?.client);
  return id && client && CLIENTS[client].resume?.(id);
}

/** An id that may appear outside the fence, because it cannot mean anything else. */
export function safeId(text: string | undefined): string | undefined {
  return text !== undefined && /^[\w-]{1,100}$/.test(text) && !text.startsWith("-") ? text : undefined;
}
