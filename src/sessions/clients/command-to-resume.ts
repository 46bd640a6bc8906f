import type { Checkpoint } from "../../checkpoints/document.ts";
import type { WorkState } from "../../checkpoints/work-state.ts";
import { own, textOf } from "../../text/untrusted.ts";
import { isOver, RUN_TRAIL_PREFIX, type RunStatus } from "../../workflow/run/run-state.ts";

/**
 * The exact command that goes on with the work of a checkpoint: of the run, or of the client whose session it was;
 * where there is neither, the one that shows where the work stands. `root` is the folder that it is typed in.
 */
export function commandToResume({ trail, state }: Checkpoint<WorkState>, root: string): string {
  return runCommand(trail, state) ?? sessionCommand(trail, state, root) ?? statusCommand(trail);
}

export function statusCommand(trail: string): string {
  return `checkpoint status --trail ${trail}`;
}

function runCommand(trail: string, state: WorkState): string | undefined {
  if (!trail.startsWith(RUN_TRAIL_PREFIX)) return undefined;
  const status = textOf(own(state, "run"), "status");
  if (status === undefined || isOver(status as RunStatus)) return undefined;
  return `checkpoint resume ${trail.slice(RUN_TRAIL_PREFIX.length)}`;
}

/** A fork of a session's trail carries its name on, but is not that session. */
function sessionCommand(trail: string, state: WorkState, root: string): string | undefined {
  const command = trail.startsWith("session/") ? resumeCommand(state) : undefined;
  const folder = textOf(own(state, "session"), "cwd") ?? root;
  if (command === undefined || folder === root) return command;
  // A client finds a session only from where it was started. This stands outside the fence: no folder with words in it.
  return /^[\w/.+-]{1,200}$/.test(folder) ? `cd ${folder} && ${command}` : undefined;
}

const RESUME: Readonly<Record<string, (id: string) => string>> = {
  "claude-code": (id) => `claude --resume ${id}`,
  codex: (id) => `codex resume ${id}`,
  "gemini-cli": (id) => `gemini --resume ${id}`,
  opencode: (id) => `opencode --session ${id}`,
};

/** The client's own command to go on with a session, where both are known. */
export function resumeCommand(state: unknown): string | undefined {
  const session = own(state, "session");
  const id = idOf(textOf(session, "id"));
  const command = RESUME[textOf(session, "client") ?? ""];
  return id === undefined ? undefined : command?.(id);
}

/** Outside the fence stands only what cannot mean anything else. */
export function idOf(text: string | undefined): string | undefined {
  return text !== undefined && /^[\w-]{1,100}$/.test(text) && !text.startsWith("-") ? text : undefined;
}
