import type { GitHead } from "../../capture/git/git-head.ts";
import type { WorkState } from "../../checkpoints/work-state.ts";
import { textOf } from "../../text/untrusted.ts";
import type { EventFacts } from "../events/facts.ts";
import type { HookEvent } from "../events/hook-event.ts";
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
  reducePrompt(state, context.at, facts.prompt);
  reduceTasks(state, context.at, facts.tasks ?? []);
  reduceCalls(state, context.at, facts.calls ?? []);
  reduceSubagents(state, context, facts);
  reduceWorkspace(state, context.git);
}

const MOST_INSTRUCTIONS = 20;

/** The first prompt is the goal, unless there is one; later prompts are instructions. */
export function reducePrompt(state: WorkState, at: string, prompt: string | undefined): void {
  if (prompt === undefined) return;
  if (textOf(state, "goal") === undefined) {
    state.goal = prompt;
    return;
  }
  const before = Array.isArray(state.instructions) ? state.instructions : [];
  if (before.length === 0 && state.goal === prompt) return;
  state.instructions = [...before, { text: prompt, at, by: "person" }].slice(-MOST_INSTRUCTIONS);
}

/** Where git stands. Only git itself could say whether files are dirty, so a new commit or branch resets that. */
function reduceWorkspace(state: WorkState, git: GitHead | undefined): void {
  if (git === undefined || git.reason !== undefined) return;
  const { head, branch } = git;
  if (state.workspace?.head === head && state.workspace.branch === branch) return;
  state.workspace = { head, branch, dirty: null };
}
