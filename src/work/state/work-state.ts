import { CheckpointError } from "../../core/errors.ts";
import { isRecord } from "../../core/text/untrusted.ts";
import type { Json } from "../../core/objects/json.ts";
import type { Activity } from "./activity.ts";

export type TaskStatus = "pending" | "in_progress" | "blocked" | "completed" | "cancelled";
export type PhaseStatus = "pending" | "in_progress" | "blocked" | "completed" | "failed";

/** Who put an item there, and when: a handoff weighs recency and names provenance. */
export interface Provenance {
  at?: string;
  /** `person`, `agent:<id>`, `tool:<name>`, `import:<source>` … */
  by?: string;
}

export interface Task extends Provenance {
  id: string;
  subject: string;
  status: TaskStatus;
  owner: string | null;
  blocks: string[];
  blocked_by: string[];
  /** More than the subject says. */
  description?: string;
  evidence?: string;
  /** It comes from the list of an agent's client, by a hook: recorded, whatever the agent may do itself. */
  captured?: boolean;
}

export interface Phase {
  name: string;
  number: number | null;
  status: PhaseStatus;
  started_at: string | null;
  notes: string | null;
}

export interface Decision extends Provenance {
  what: string;
  why: string | null;
}

/** A sentence: a constraint, a blocker, a gotcha. */
export interface Remark extends Provenance {
  text: string;
}

/** What a person asked for, in their own words. `unconfirmed` until the client's own transcript holds them as typed. */
interface Instruction extends Remark {
  /** The question that it answers, or the call that it refuses. */
  answers?: string;
  /** Whether it was typed while the agent worked: then it adds to the request before it. */
  meanwhile?: true;
}

export interface Dependency {
  name: string;
  type: string;
  status: string;
  endpoint: string | null;
  last_checked: string | null;
  latency_ms?: number | null;
  /** Why it is not available, or was not asked. */
  reason?: string;
}

export interface RecentOutput {
  type: string;
  id: string;
  action: string;
  success: boolean;
  timestamp: string;
  /** What came out, shortened. */
  output?: string;
}

export interface Command {
  argv: string[];
  ok: boolean | null;
  at: string;
  /** Whether it was running when its session broke off. Never stored: it is found when the state is read. */
  interrupted?: boolean;
}

export interface Workspace {
  head: string | null;
  branch: string | null;
  /** Null when git could not tell. */
  dirty: boolean | null;
  /** How many files were touched besides those in `files_touched`, where that lists only the first. */
  more_files?: number;
}

/** The session of an agent client that works on a trail. */
export interface AgentSession {
  /** The client's own name for it. */
  id: string;
  client: string;
  /** `idle` while it waits for a prompt, `failed` when its client said so; a killed one stays `running`. */
  status: "running" | "idle" | "failed" | "ended";
  started_at: string;
  /** Who set the goal, if it is the first prompt: `person`, or `unconfirmed`. */
  goal_by?: string;
  model?: string;
  transcript_path?: string;
  /** The folder that it was started in: its client finds it only from there. */
  cwd?: string;
  context_tokens?: number;
  /** What its agent said last. */
  last_message?: string;
  error?: string;
  compactions?: number;
  /** The tool calls that were seen last, by the client's names for them. */
  calls_seen?: string[];
  /** What goes on by itself: background commands, timers. */
  background?: Json[];
  /** For a sub-agent: which one it is, and the trail of the session that started it. */
  agent?: { id: string; type: string | null };
  parent_trail?: string;
  /** The checkpoint that this session was forked from, and the one that was handed to it when it began. */
  forked_from?: string;
  handed_over?: string;
  /** The checkpoint whose record its conversation was given since the last compaction. */
  record_given?: string;
  /** The checkpoint of the project's own trail that it was last told of. */
  project_told?: string;
  [unknown: string]: unknown;
}

/** The state of agent work. Every part may be missing or empty; unknown fields are kept, never dropped. */
export interface WorkState {
  goal?: string;
  /** Who set the goal, unless a person typed it. */
  goal_by?: Provenance;
  success_criteria: string[];
  next_action?: string;
  /** What was asked for after the goal was set, the newest last. */
  instructions?: Instruction[];
  constraints: Remark[];
  decisions: Decision[];
  blockers: Remark[];
  gotchas: Remark[];
  phase?: Phase;
  phases_completed: (number | string)[];
  tasks: Task[];
  active_task_id?: string;
  dependencies: Dependency[];
  variables: { [key: string]: Json };
  recent_outputs: RecentOutput[];
  files_touched: string[];
  commands: Command[];
  checks_failing: string[];
  subagents: Json[];
  workspace?: Workspace;
  approvals_pending: Json[];
  run?: Json;
  session?: AgentSession;
  activity?: Activity;
  /** Texts of this state that came from a file and have no field to say so: see `markImported`. */
  imported_texts?: string[];
  [unknown: string]: unknown;
}

/** How many touched files of a session are remembered, the latest first. */
export const MOST_FILES_TOUCHED = 500;

/**
 * The work state before anything is known.
 *
 * @example
 * const state = { ...emptyWorkState(), goal: "Ship the login page" };
 */
export function emptyWorkState(): WorkState {
  return {
    success_criteria: [],
    constraints: [],
    decisions: [],
    blockers: [],
    gotchas: [],
    phases_completed: [],
    tasks: [],
    dependencies: [],
    variables: {},
    recent_outputs: [],
    files_touched: [],
    commands: [],
    checks_failing: [],
    subagents: [],
    approvals_pending: [],
  };
}

/** The fields that a view of the work state shows in words of their own; all others are shown as they are. */
export const KNOWN_WORK_FIELDS: ReadonlySet<string> = new Set([
  ...Object.keys(emptyWorkState()),
  "goal",
  "goal_by",
  "next_action",
  "phase",
  "active_task_id",
  "workspace",
  "run",
  "imported_texts",
]);

/** Adds the lists and maps that a state lacks; one that has something else in their place holds no work. */
export function completeWorkState(state: WorkState, trail: string): void {
  for (const [field, empty] of Object.entries(emptyWorkState())) {
    const found = state[field];
    if (found === undefined) state[field] = empty;
    else if (Array.isArray(empty) ? !Array.isArray(found) : !isRecord(found)) {
      throw new CheckpointError(
        "usage",
        `Trail "${trail}" holds no work state: its "${field}" is something else.`,
        {
          hint: "Choose another trail: checkpoint list --all",
          details: { trail, field },
        },
      );
    }
  }
}
