import type { GitHead } from "../../capture/git/git-head.ts";
import type { WorkState } from "../../checkpoints/work-state.ts";
import { textOf } from "../../text/untrusted.ts";
import type { Said } from "../events/facts.ts";
import type { HookEvent } from "../events/hook-event.ts";
import { reduceCalls } from "./reduce-calls.ts";
import { reduceSession } from "./reduce-session.ts";
import { reduceSubagents } from "./reduce-subagents.ts";
import { reduceTasks } from "./reduce-tasks.ts";

/** What is known besides what was said: who, where and when. */
export interface Known {
  readonly event: HookEvent;
  /** The time, as the state has it. */
  readonly at: string;
  readonly git?: GitHead | undefined;
  /** The trail of the session that a sub-agent belongs to, when this is the sub-agent's own. */
  readonly parentTrail?: string | undefined;
  /** Files that a sub-agent changed, when it has stopped. */
  readonly filesOfSubagent?: readonly string[] | undefined;
  /** The checkpoint that this session starts from, or that was handed to it. */
  readonly forkedFrom?: string | undefined;
  readonly handedOver?: string | undefined;
  /** Takes in what was handed over, when it turns out that the session goes on with it. */
  readonly inherit?: ((state: WorkState) => void) | undefined;
}

/**
 * Takes an event into the work state. Pure but for the draft, so it may run again on a newer head. An event that brings
 * nothing new leaves the state as it is, times included, so that nothing is saved.
 */
export function reduce(state: WorkState, known: Known, said: Said): void {
  reduceSession(state, known, said);
  known.inherit?.(state);
  reducePrompt(state, known, said);
  reduceTasks(state, known.at, said.tasks ?? []);
  reduceCalls(state, known.at, said.calls ?? []);
  reduceSubagents(state, known, said);
  reduceWorkspace(state, known.git);
}

const MOST_INSTRUCTIONS = 20;

/** The first thing asked for is the goal, unless there is one; what follows are instructions on the way. */
function reducePrompt(state: WorkState, { at }: Known, { prompt }: Said): void {
  if (prompt === undefined) return;
  if (textOf(state, "goal") === undefined) {
    state.goal = prompt;
    return;
  }
  const before = Array.isArray(state.instructions) ? state.instructions : [];
  if (before.length === 0 && state.goal === prompt) return;
  state.instructions = [...before, { text: prompt, at, by: "person" }].slice(-MOST_INSTRUCTIONS);
}

/** Where git stands. Whether files are dirty only git itself could tell: what was known holds for that commit only. */
function reduceWorkspace(state: WorkState, git: GitHead | undefined): void {
  if (git === undefined || git.reason !== undefined) return;
  const { head, branch } = git;
  if (state.workspace?.head === head && state.workspace.branch === branch) return;
  state.workspace = { head, branch, dirty: null };
}
