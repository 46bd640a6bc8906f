import { completeWorkState } from "../checkpoints/complete-work-state.ts";
import type { CommitNotes, Committed } from "../checkpoints/document.ts";
import type { Trail } from "../checkpoints/trail.ts";
import type { WorkState } from "../checkpoints/work-state.ts";
import type { Configured } from "../project/settings/settings.ts";
import type { Context } from "./context.ts";
import type { Output } from "./output.ts";
import { redactFresh } from "../redaction/redact-fresh.ts";
import { findSession } from "../sessions/session.ts";

/** A checkpoint that was just saved, or that says all of it already. */
export interface Saved {
  readonly info: Committed;
  readonly state: WorkState;
}

/** What is to be saved, and what is to be said about it. */
export interface Intent<Fresh extends object> {
  /** Everything that is new, under the names that it will have in the state: secrets are looked for in this. */
  readonly fresh: Fresh;
  /** Puts what is new, without its secrets, into the state. May run again, when somebody else was quicker. */
  readonly change: (state: WorkState, fresh: Fresh) => WorkState | void;
  /** Why: see `CommitNotes`. */
  readonly trigger: string;
  readonly notes?: string | undefined;
  readonly agent?: string | undefined;
  /** See `CommitOptions`. */
  readonly ifChanged?: boolean | undefined;
}

export interface Place {
  readonly context: Context;
  readonly trail: Trail<WorkState>;
  readonly settings: Configured;
  readonly output: Output;
}

/**
 * Commits a change of the work state. What was redacted never reaches the disk; how many secrets there were is
 * said, never which. Only what is new is searched, because what is in the state went through here before.
 */
export async function commitWork<Fresh extends object>(
  { context, trail, settings, output }: Place,
  { fresh, change, trigger, notes, agent, ifChanged }: Intent<Fresh>,
): Promise<Saved> {
  const clean = await redactFresh({ fresh, notes }, settings);
  let state: WorkState | undefined;
  const info = await trail.commit(
    (draft) => {
      completeWorkState(draft, trail.name);
      state = change(draft, clean.fresh) ?? draft;
      return state;
    },
    { ...who(context, agent), trigger, notes: clean.notes, ifChanged },
  );
  if (clean.message !== undefined && !info.unchanged) output.warning(clean.message);
  return { info, state: state as WorkState };
}

/** Notes without their secrets, for commits that change nothing else. */
export async function cleanNotes(
  notes: string | undefined,
  settings: Configured,
  output: Output,
): Promise<{ notes?: string }> {
  const clean = await redactFresh({ fresh: {}, notes }, settings);
  if (clean.message !== undefined) output.warning(clean.message);
  return clean.notes === undefined ? {} : { notes: clean.notes };
}

/** Who saves: the agent, if one was named, and the session it runs in. */
export function who({ env }: Context, agent: string | undefined): CommitNotes {
  return { agent_id: agentName(env, agent), session_id: findSession(env)?.id };
}

export function agentName(env: Context["env"], typed: string | undefined): string | undefined {
  return (typed ?? env["CHECKPOINT_AGENT"]) || undefined;
}
