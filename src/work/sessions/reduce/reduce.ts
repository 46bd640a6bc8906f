import type { GitHead } from "../../capture/git/git-head.ts";
import { emptyActivity } from "../../state/activity.ts";
import type { WorkState } from "../../state/work-state.ts";
import type { EventFacts } from "../events/facts.ts";
import type { HookEvent } from "../events/hook-event.ts";
import { beginTurn, reduceActivity } from "../activity/reduce-activity.ts";
import { reducePrompt } from "../activity/instructions.ts";
import { reduceCalls } from "./reduce-calls.ts";
import { reduceSession } from "./reduce-session.ts";
import { reduceSubagents } from "./reduce-subagents.ts";
import { reduceTasks } from "./reduce-tasks.ts";

/** What the reducers know besides the facts: who, where and when. */
export interface ReduceContext {
  readonly event: HookEvent;
  /** The event's own random name. */
  readonly eventId: string;
  /** The time of the event, as states record it. */
  readonly at: string;
  readonly git?: GitHead | undefined;
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
 * Applies an event to the work state. Changes only the draft, so it may run again on a newer head. An event without
 * news leaves the state as it is, times included, so that nothing is saved.
 */
export function reduce(state: WorkState, context: ReduceContext, facts: EventFacts): void {
  reduceSession(state, context, facts);
  context.inherit?.(state);
  reduceActivity(state, facts.news);
  reducePrompt(state, context.at, facts.prompt);
  // A transcript tells of its turns itself.
  if (facts.prompt !== undefined && state.activity?.read === undefined)
    beginTurn((state.activity ??= emptyActivity()), facts.prompt, context.at);
  reduceTasks(state, context.at, facts.tasks ?? []);
  reduceCalls(state, context.at, facts.calls ?? []);
  reduceSubagents(state, context, facts);
  reduceWorkspace(state, context.git);
}

/** Where git stands. Only git itself could say whether files are dirty, so a new commit or branch resets that. */
function reduceWorkspace(state: WorkState, git: GitHead | undefined): void {
  if (git === undefined || git.reason !== undefined) return;
  const { head, branch } = git;
  if (state.workspace?.head === head && state.workspace.branch === branch) return;
  state.workspace = { head, branch, dirty: null };
}
