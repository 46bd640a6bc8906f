import type { CheckpointInfo, CommitNotes } from "../../core/trails/document.ts";
import { unmarkSaid } from "../state/imported-marks.ts";
import type { Trail } from "../../core/trails/trail.ts";
import { redactFresh, type RedactedFresh, type RedactionSettings } from "../../core/redaction/redactor.ts";
import type { WorkState } from "../state/work-state.ts";
import { CheckpointError } from "../../core/errors.ts";
import { trailToWrite } from "./choose-trail.ts";
import { commitState } from "./commit-state.ts";
import type { Project } from "./project.ts";
import { notesOrNone } from "./sentence.ts";
import { secretMemory } from "./settings/secret-memory.ts";
import { type Settings, settingsOf } from "./settings/settings.ts";
import { type AskedAction, gates } from "./gate.ts";

/** A change of the work state, and why it is made. */
export interface WorkChange<Fresh extends object> {
  readonly trail?: string | undefined;
  /** Why: see `CommitNotes`. */
  readonly trigger?: string;
  readonly notes?: string | undefined;
  /** The change needs something that exists already, so no store is created for it. */
  readonly mustExist?: boolean;
  /** What the gate is asked for, where the project is governed. */
  readonly action?: string;
  /** The same, where more is known than the name. */
  readonly admission?: AskedAction;
  /** Everything new, under the names it will have in the state; it may depend on the last state. Searched for secrets. */
  readonly fresh: Fresh | ((before: WorkState | undefined) => Promise<Fresh>);
  /** Puts what is new, without its secrets, into the state. Runs again if another writer was quicker. */
  readonly change: (state: WorkState, fresh: Fresh) => WorkState | void;
  /** Who saved it elsewhere, where nobody is named here. */
  readonly savedBy?: (fresh: Fresh) => SavedBy;
  /** Save nothing if the state stays the same. */
  readonly ifChanged?: boolean;
  /** What is new comes from a file, and stays marked as imported. */
  readonly isImport?: boolean;
}

interface SavedBy {
  readonly agent_id?: string | null;
  readonly session_id?: string | null;
}

export interface SavedWork {
  /** Null when there was nothing to change. */
  readonly checkpoint: CheckpointInfo | null;
  readonly state: WorkState;
}

/**
 * Commits a change of the work state. Every verb commits through here. Secrets never reach the disk; the caller is told
 * how many there were, never which. Only what is new is searched: the rest of the state came through here before.
 */
export async function commitWork<Fresh extends object>(
  project: Project,
  { trail, trigger = "manual", notes, fresh, change, ...options }: WorkChange<Fresh>,
): Promise<SavedWork> {
  const name = trailToWrite(project, trail);
  const settings = await settingsOf(project);
  refuseSecretNames({ agent: project.actor.agentId, trail, trigger }, settings);
  const cairn = await project.stores.open(
    project,
    options.mustExist ? "write" : "create",
    options.admission ?? options.action ?? (trigger === "manual" ? "work.change" : `work.${trigger}`),
  );
  const gate = gates.get(cairn);
  // What is loaded here is never changed, so that the commit need not read it again.
  // A trail that was deleted begins anew when somebody asks for it; a watch that is still at work does not bring it back.
  const handle = cairn.trail(name, { recognition: "identity", revives: trigger !== "watch" });
  const found = typeof fresh === "function" ? await fresh(await lastState(handle)) : fresh;
  const clean = redactFresh(
    { fresh: found, notes: notes ? notesOrNone(notes) : undefined },
    { ...settings, memory: secretMemory(project) },
  );
  const { committed, state } = await commitState(cairn, {
    trail: handle,
    change: (draft) => {
      const changed = change(draft, clean.fresh) ?? draft;
      if (options.action === "save") gate?.observe(name, changed);
      if (!options.isImport && changed.imported_texts) unmarkSaid(changed, clean.fresh);
      return changed;
    },
    options: {
      ...recordedAs(project, settings, options.savedBy?.(clean.fresh)),
      trigger,
      notes: clean.notes,
      ifChanged: options.ifChanged,
    },
  });
  const { unchanged, ...checkpoint } = committed;
  if (!unchanged) tell(project, clean);
  return { checkpoint: unchanged ? null : checkpoint, state };
}

/** Tells the caller what was left out. */
export function tell({ notices }: Project, { message, warning }: RedactedFresh<object>): void {
  for (const said of [message, warning]) if (said !== undefined) notices.warning(said);
}

async function lastState(trail: Trail<WorkState>): Promise<WorkState | undefined> {
  return (await trail.head()) === undefined ? undefined : (await trail.load()).state;
}

/** Names are kept as they are, wherever they stand: nothing could be found again under a name without its secret. */
function refuseSecretNames(names: object, { redact_allow }: RedactionSettings): void {
  // By the general rules: a pattern of one's own may match any word.
  const { message } = redactFresh({ fresh: names, notes: undefined }, { redact: [], redact_allow });
  if (message === undefined) return;
  throw new CheckpointError("usage", "The name of the agent or of the trail looks like a secret.", {
    hint: "Choose another name: names are stored and shown as they are.",
  });
}

/** Who acts and why, without secrets, for commits that bring an earlier state back to this trail. */
export async function cleanNotes(
  project: Project,
  notes: string | undefined,
  trail?: string,
): Promise<CommitNotes> {
  const settings = await settingsOf(project);
  refuseSecretNames({ agent: project.actor.agentId, trail }, settings);
  const clean = redactFresh(
    { fresh: {}, notes: notes ? notesOrNone(notes) : undefined },
    { ...settings, memory: secretMemory(project) },
  );
  tell(project, clean);
  return { ...recordedAs(project, settings), ...(clean.notes === undefined ? {} : { notes: clean.notes }) };
}

/**
 * The agent that saves, the tier that it claims, and its session. What the config says of an agent holds for that one, and
 * where no other is named.
 */
function recordedAs({ actor }: Project, settings: Settings, elsewhere: SavedBy = {}): CommitNotes {
  const agent_id = actor.agentId ?? elsewhere.agent_id ?? settings.agent_id;
  const configured = agent_id === settings.agent_id ? settings.agent_tier : undefined;
  const session_id = actor.session?.id ?? elsewhere.session_id ?? undefined;
  return { agent_id, agent_tier: actor.tier ?? configured, session_id };
}

/** When and by whom something is added. */
export function signed({ now, actor }: Project): { at: string; by: string } {
  return { at: now().toISOString(), by: actor.signature };
}
