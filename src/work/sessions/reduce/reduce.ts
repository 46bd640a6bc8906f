import { emptyActivity } from "../../state/activity.ts";
import { readWorkState, type WorkState } from "../../state/work-state.ts";
import type { SessionEvent } from "../events/session-event.ts";
import { noteHead } from "../activity/commits.ts";
import { beginTurn, reduceActivity } from "../activity/reduce-activity.ts";
import { reducePrompt } from "../activity/instructions.ts";
import { reduceCalls } from "./reduce-calls.ts";
import { reduceSession } from "./reduce-session.ts";
import { reduceSubagents } from "./reduce-subagents.ts";
import { reduceTasks } from "./reduce-tasks.ts";

/** An event on its way into a trail, with what was found in others. */
export interface TrailEvent extends SessionEvent {
  /** The session's trail, if the state is that of a sub-agent's own trail. */
  readonly parentTrail?: string | undefined;
  /** Files that a sub-agent changed, once it has stopped. */
  readonly filesOfSubagent?: readonly string[] | undefined;
  /** The checkpoint that this session was forked from, and the one that was handed to it. */
  readonly forkedFrom?: string | undefined;
  readonly handedOver?: string | undefined;
  /** The checkpoint of the project's own trail that the answer to this event tells of. */
  readonly projectTold?: string | undefined;
  /** Takes over what was handed to the session, if it turns out to continue that work. */
  readonly inherit?: ((state: WorkState) => void) | undefined;
}

/**
 * Applies an event to a draft of the work state, and may run again on a newer head. An event that says nothing new
 * leaves the state as it is, times included, so that nothing is saved.
 */
export function reduce(draft: WorkState, event: TrailEvent): WorkState {
  const state = readWorkState(draft);
  const { at, content } = event;
  reduceSession(state, event);
  event.inherit?.(state);
  reduceActivity(state, content.activity);
  reducePrompt(state, at, content.prompt);
  // A transcript tells of its turns itself.
  if (content.prompt !== undefined && state.activity?.read === undefined)
    beginTurn((state.activity ??= emptyActivity()), content.prompt, at);
  reduceTasks(state, at, content.tasks ?? []);
  reduceCalls(state, at, content.calls ?? []);
  reduceSubagents(state, event);
  reduceWorkspace(state, event);
  return state;
}

/** Where git stands. Only git itself could say whether files are dirty, so a new commit or branch resets that. */
function reduceWorkspace(state: WorkState, { git, at }: TrailEvent): void {
  if (git === undefined || git.reason !== undefined) return;
  const { head, branch } = git;
  const before = state.workspace;
  if (before?.head === head && before.branch === branch) return;
  const isMoved = before !== undefined && head !== null && before.head !== head;
  if (isMoved && state.activity !== undefined) noteHead(state.activity, head, at);
  state.workspace = { head, branch, dirty: null };
}
