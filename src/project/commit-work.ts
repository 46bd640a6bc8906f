import { completeWorkState } from "../checkpoints/complete-work-state.ts";
import type { CheckpointInfo, CommitNotes } from "../checkpoints/document.ts";
import { saidHere } from "../checkpoints/imported-marks.ts";
import { redactFresh } from "../redaction/redact-fresh.ts";
import type { WorkState } from "../checkpoints/work-state.ts";
import { CheckpointError } from "../errors.ts";
import { trailToWrite } from "./choose-trail.ts";
import type { Project } from "./project.ts";
import { settingsOf } from "./settings-of.ts";

/** A change of the work state, and why it is made. */
export interface WorkChange<Fresh extends object> {
  readonly trail?: string | undefined;
  /** Why: see `CommitNotes`. */
  readonly trigger?: string;
  readonly notes?: string | undefined;
  /** What is changed can only be there already: without a store none is created. */
  readonly mustExist?: boolean;
  /** Everything that is new, under the names that it will have in the state: secrets are looked for in this. */
  readonly fresh: Fresh;
  /** Puts what is new, without its secrets, into the state. May run again, when another writer was quicker. */
  readonly change: (state: WorkState, fresh: Fresh) => WorkState | void;
  /** Saves nothing if that leaves the state as it is. */
  readonly ifChanged?: boolean;
  /** Whether what is new are the words of a file, which stay marked as such. */
  readonly isImport?: boolean;
}

export interface SavedWork {
  /** Null when there was nothing to change. */
  readonly checkpoint: CheckpointInfo | null;
  readonly state: WorkState;
}

/**
 * Commits a change of the work state: the one way in which every door does it. Secrets never reach the disk; how many
 * there were is said, never which. Only what is new is searched, because what is in the state went through here before.
 */
export async function commitWork<Fresh extends object>(
  project: Project,
  { trail, trigger = "manual", notes, fresh, change, ...options }: WorkChange<Fresh>,
): Promise<SavedWork> {
  const name = trailToWrite(project, trail);
  const settings = await settingsOf(project);
  const cairn = await project.stores.open(project, options.mustExist ? "write" : "create");
  const clean = await redactFresh({ fresh, notes }, settings);
  let state: WorkState | undefined;
  const { unchanged, ...checkpoint } = await cairn.trail(name).commit(
    (draft) => {
      completeWorkState(draft, name);
      state = change(draft, clean.fresh) ?? draft;
      if (!options.isImport) saidHere(state, clean.fresh);
      return state;
    },
    { ...recordedAs(project), trigger, notes: clean.notes, ifChanged: options.ifChanged },
  );
  if (clean.message !== undefined && !unchanged) project.notices.warning(clean.message);
  return { checkpoint: unchanged ? null : checkpoint, state: state as WorkState };
}

/** Notes for a commit that changes nothing but the head: who acts and why, without secrets. */
export async function cleanNotes(project: Project, notes: string | undefined): Promise<CommitNotes> {
  const settings = await settingsOf(project);
  const clean = await redactFresh({ fresh: {}, notes }, settings);
  if (clean.message !== undefined) project.notices.warning(clean.message);
  return { ...recordedAs(project), ...(clean.notes === undefined ? {} : { notes: clean.notes }) };
}

/** Who saves: the agent, if one was named, and the session it runs in. */
function recordedAs({ actor }: Project): CommitNotes {
  return { agent_id: actor.agentId, session_id: actor.session?.id };
}

/** When and by whom something is added. */
export function signed({ now, actor }: Project): { at: string; by: string } {
  return { at: now().toISOString(), by: actor.signature };
}

/** A text that says something. */
export function meaningful(text: string, what: string): string {
  if (text.trim() !== "") return text.trim();
  throw new CheckpointError("usage", `${what} is empty.`, { hint: "Say it in a few words, in quotes." });
}
