import type { CheckpointInfo, CommitNotes } from "../checkpoints/document.ts";
import { createRedactor } from "../checkpoints/redaction/redactor.ts";
import type { Trail } from "../checkpoints/trail.ts";
import type { WorkState } from "../checkpoints/work-state.ts";
import type { JsonObject } from "../objects/json.ts";
import type { Context } from "./context.ts";
import type { Output } from "./output.ts";
import { findSession } from "./session.ts";

export interface Saved {
  readonly info: CheckpointInfo;
  readonly state: WorkState;
}

export interface CommitOptions {
  readonly agent?: string | undefined;
  readonly notes?: string | undefined;
  readonly trigger: string;
}

/**
 * Commits a change of the work state, without the secrets in it: what is redacted here never reaches the disk.
 * Says how many there were, never what. The change may be applied again, when somebody else was quicker.
 */
export async function commitWork(
  { context, trail, output }: { context: Context; trail: Trail<WorkState>; output: Output },
  change: (state: WorkState) => void,
  options: CommitOptions,
): Promise<Saved> {
  const redactor = createRedactor();
  const notes = options.notes === undefined ? undefined : redactor.redactText(options.notes);
  let state: WorkState | undefined;
  let inState = 0;
  const info = await trail.commit(
    (draft) => {
      change(draft);
      const { value, findings } = redactor.redact(draft as JsonObject);
      inState = total(findings);
      state = value as WorkState;
      return state;
    },
    { ...who(context, options.agent), trigger: options.trigger, notes: notes?.value },
  );
  const count = inState + total(notes?.findings ?? []);
  if (count > 0) output.warning(`${count === 1 ? "One secret was" : `${count} secrets were`} left out of the checkpoint.`);
  return { info, state: state as WorkState };
}

/** Who saves: the agent, if one was named, and the session it runs in. */
export function who({ env }: Context, agent: string | undefined): CommitNotes {
  return { agent_id: agent ?? (env["CHECKPOINT_AGENT"] || undefined), session_id: findSession(env)?.id };
}

function total(findings: readonly { readonly count: number }[]): number {
  return findings.reduce((sum, { count }) => sum + count, 0);
}
