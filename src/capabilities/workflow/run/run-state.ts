import type { RunStatus } from "../../../work/state/run-trail.ts";
import type { WorkState } from "../../../work/state/work-state.ts";
import type { Json } from "../../../core/objects/json.ts";
import type { RunLimit, Step } from "../definition/types.ts";
import { indexOf } from "./definition-index.ts";
import type { Signal } from "./signals.ts";

type StepStatus =
  | "pending"
  | "running"
  | "waiting"
  | "awaiting_approval"
  | "completed"
  | "skipped"
  | "failed";

/** What a person decided about a question of a run. */
export interface ApprovalDecision {
  readonly approved: boolean;
  readonly option?: string | undefined;
  readonly reason?: string | undefined;
  readonly by: string;
  /** Where the name comes from: `given` as an option, `user` of the system … Older ones name `git`. */
  readonly identity: string;
  readonly at: string;
  /** Of the files that were approved: if they change, the question is asked again. */
  readonly digest: string;
}

export interface StepState {
  readonly status: StepStatus;
  /** How often it was started; the number of its newest attempt. */
  readonly attempt: number;
  /** Attempts that failed since a person last resumed the run: these use up `retry`. */
  readonly failures: number;
  /** Attempts that ended because the runner or the machine did. These do not use up `retry`. */
  readonly crashes: number;
  readonly started_at?: string;
  readonly ended_at?: string;
  /** For `waiting`: when it may run again. */
  readonly retry_at?: string;
  readonly result?: Json;
  /** Why it was skipped, failed or runs again. */
  readonly reason?: string;
  /** The result was found after a crash, not reported. */
  readonly adopted?: boolean;
  /** Of the step's definition when it got its result. */
  readonly fingerprint?: string;
  /** For an approval: of the files when the question was asked. */
  readonly digest?: string;
  readonly decision?: ApprovalDecision;
  /** The id of the signal that it waited for, and got. */
  readonly signal?: string;
}

interface NamedStepState extends StepState {
  readonly id: string;
}

/** A file that a step produced. */
export interface Artifact {
  readonly path: string;
  readonly sha256: string;
  readonly size_bytes: number;
  readonly step: string;
  readonly attempt: number;
  readonly at: string;
}

export interface RunnerIdentity {
  readonly pid: number;
  readonly host: string;
  readonly since: string;
}

/** The whole state of one execution. Plain JSON, never mutated. */
export interface Run {
  readonly id: string;
  readonly workflow: string;
  readonly file?: string;
  /** The request in the user's words, if given. */
  readonly request?: string;
  readonly status: RunStatus;
  /** Why it is paused, failed or cancelled. */
  readonly reason?: string;
  /** Rises with every takeover: a commit of an older epoch is refused. */
  readonly epoch: number;
  readonly runner?: RunnerIdentity;
  /** Where its steps run; in the process that drives it unless given. */
  readonly runs_on?: "workers";
  readonly created_at: string;
  /** Who started it: `person`, or `agent:` and a name. No agent answers the questions of its own run. */
  readonly started_by?: string;
  readonly updated_at: string;
  readonly inputs: Readonly<Record<string, string>>;
  /** Names only. */
  readonly secret_inputs: readonly string[];
  /** Secret inputs that were not given: their value is the default in the definition. */
  readonly secret_defaults?: readonly string[];
  readonly jobs: number;
  /** What keeps it from going on at workers, in words: its limit. */
  readonly waits_for?: string;
  /** What it shares with other runs at workers. */
  readonly limit?: RunLimit;
  /** Its steps are taken before those of runs with a lower one; 0 unless given. */
  readonly priority?: number;
  readonly definition: readonly Step[];
  /** In the order in which they started; all others are pending. A list, because it is copied and compared much faster than an object. */
  readonly steps: readonly NamedStepState[];
  readonly artifacts: Readonly<Record<string, Artifact>>;
  /** What was sent to it, in the order in which it came. */
  readonly signals?: readonly Signal[];
  /** Crashes in a row without a completed step. */
  readonly crashes: number;
  /** The project's git commit when the last step completed; for workers, the one that they read everything from. */
  readonly git_head?: string;
  readonly forked_from?: { readonly run: string; readonly checkpoint: string; readonly step?: string };
  /** The fork that does what was left when this run ended. */
  readonly continued_as?: string;
  /** Files of results that a fork dropped: their content is no longer vouched for. */
  readonly stale_files?: readonly string[];
  readonly archived_as?: string;
  /** Files of imported steps that did not exist when they were imported. */
  readonly missing_at_import?: readonly string[];
  /** Why the file that it was imported from may not be what its tool meant to leave. */
  readonly import_problems?: readonly string[];
  readonly metadata?: Json;
}

/** Whether the run is a pipeline of another tool that was imported, and no workflow says yet what its steps run. */
export const isUnbound = (run: Run): boolean => indexOf(run).isImported;

/** Whether the run stays on one commit, definition and files, until it is moved to another. */
export const isPinned = ({ runs_on, git_head }: Run): boolean =>
  runs_on === "workers" && git_head !== undefined;

/** A run of which nothing has started. */
export function newRun({
  now,
  ...given
}: Pick<Run, "id" | "workflow" | "definition" | "inputs"> & { readonly now: Date }): Run {
  const at = now.toISOString();
  const times = { created_at: at, updated_at: at };
  const nothing = { secret_inputs: [], jobs: DEFAULT_JOBS, steps: [], artifacts: {}, crashes: 0 };
  return { ...given, status: "pending", epoch: 1, ...times, ...nothing };
}

const DEFAULT_JOBS = 4;

/** The state in the trail `run/<id>`: the run, and a work state from which a handoff can be made. */
export type RunDocument = KnownWork & { run: Run };

/** The named parts of the work state, without the run. */
type KnownWork = {
  -readonly [
    Part in keyof WorkState as string extends Part ? never : Part extends "run" ? never : Part
  ]: WorkState[Part];
};

const NEVER_STARTED: StepState = { status: "pending", attempt: 0, failures: 0, crashes: 0 };

export function stepOf(run: Run, id: string): Step | undefined {
  return run.definition[indexOf(run).positions.get(id) ?? -1];
}

export function stateOf(run: Run, id: string): StepState {
  const position = indexOf(run).positions.get(id);
  if (position !== undefined) return statesOf(run)[position]!;
  // An edit may have removed it from the definition.
  return run.steps.find((step) => step.id === id) ?? NEVER_STARTED;
}

export const hasState = (state: StepState): boolean => state !== NEVER_STARTED;

/** Whether there is nothing left to do for a step. */
export const isDone = (run: Run, id: string): boolean => DONE.includes(stateOf(run, id).status);

const DONE: readonly StepStatus[] = ["completed", "skipped"];

/** Whether steps that wait for this one may start. A reviewer who failed has abstained. */
export function isMet(step: Step, { status }: StepState): boolean {
  return DONE.includes(status) || (status === "failed" && step.reviewer !== undefined);
}

export function stepsWith(run: Run, status: StepStatus): readonly Step[] {
  const states = statesOf(run);
  return run.definition.filter((_, position) => states[position]!.status === status);
}

/** The first step whose failure stops the run. That of a reviewer does not. */
export function failedStep(run: Run): Step | undefined {
  return stepsWith(run, "failed").find(({ reviewer }) => reviewer === undefined);
}

export function withSteps(run: Run, changed: Readonly<Record<string, StepState>>): Run {
  if (Object.keys(changed).length === 0) return run;
  const steps = [...run.steps];
  const states = [...statesOf(run)];
  const { positions } = indexOf(run);
  for (const [id, state] of Object.entries(changed)) {
    const position = positions.get(id);
    const isNew = position !== undefined && states[position] === NEVER_STARTED;
    // What changes was mostly started a moment ago, so it is near the end.
    const place = isNew ? -1 : steps.findLastIndex((step) => step.id === id);
    const named = { id, ...state };
    if (place === -1) steps.push(named);
    else steps[place] = named;
    if (position !== undefined) states[position] = named;
  }
  tables.set(steps, { definition: run.definition, states });
  return { ...run, steps };
}

/** The steps whose state differs between two states of a run. */
export function changedSteps(before: Run, after: Run): readonly Step[] {
  if (before.steps === after.steps) return [];
  const { definition } = after;
  const states = statesOf(after);
  const former =
    before.definition === definition ? statesOf(before) : definition.map((step) => stateOf(before, step.id));
  const changed: Step[] = [];
  for (let at = 0; at < states.length; at++) if (former[at] !== states[at]) changed.push(definition[at]!);
  return changed;
}

// States are never mutated, so what is derived from them is cached: a run of a thousand steps makes a thousand commits,
// and each looks at all steps several times.
const tables = new WeakMap<
  object,
  { readonly definition: readonly Step[]; readonly states: readonly StepState[] }
>();

/** The states of all steps, in the order of the definition. */
export function statesOf(run: Run): readonly StepState[] {
  const known = tables.get(run.steps);
  if (known?.definition === run.definition) return known.states;
  const started = new Map(run.steps.map((step) => [step.id, step]));
  const states = run.definition.map((step) => started.get(step.id) ?? NEVER_STARTED);
  tables.set(run.steps, { definition: run.definition, states });
  return states;
}
