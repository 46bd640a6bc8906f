import type { WorkState } from "../../checkpoints/work-state.ts";
import type { Json } from "../../objects/json.ts";
import type { Step } from "../definition/types.ts";

export type RunStatus =
  | "pending"
  | "running"
  | "awaiting_approval"
  | "paused"
  | "completed"
  | "failed"
  | "cancelled"
  | "archived";

export type StepStatus =
  | "pending"
  | "running"
  | "waiting"
  | "awaiting_approval"
  | "completed"
  | "skipped"
  | "failed";

/** What a person decided. */
export interface Decision {
  readonly approved: boolean;
  readonly option?: string;
  readonly reason?: string;
  readonly by: string;
  /** How it is known who that was: `given` by an option, `git` configuration, `user` of the system … */
  readonly identity: string;
  readonly at: string;
  /** What the files looked like that were approved: a change asks again. */
  readonly digest: string;
}

/** Where a step stands. */
export interface StepState {
  readonly status: StepStatus;
  /** How often it was started; the number of its newest attempt. */
  readonly attempt: number;
  /** Attempts that failed since somebody last resumed by hand: these use up `retry`. */
  readonly failures: number;
  /** Attempts that ended because the runner or the machine did. These do not. */
  readonly crashes: number;
  readonly started_at?: string;
  readonly ended_at?: string;
  /** For `waiting`: not before this moment. */
  readonly retry_at?: string;
  readonly result?: Json;
  /** Why it was skipped, failed or runs again. */
  readonly reason?: string;
  /** The result was found after a crash, not reported. */
  readonly adopted?: boolean;
  /** Of the step's definition at the time of its result. */
  readonly fingerprint?: string;
  /** For an approval: what the files looked like when the question was asked. */
  readonly digest?: string;
  readonly decision?: Decision;
}

interface NamedState extends StepState {
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

/** Who moves a run. */
export interface RunnerIdentity {
  readonly pid: number;
  readonly host: string;
  readonly since: string;
}

/** Everything there is to know about one execution. Plain JSON, never changed in place. */
export interface Run {
  readonly id: string;
  readonly workflow: string;
  readonly file?: string;
  /** The words that the work was asked for with, if anybody gave them. */
  readonly request?: string;
  readonly status: RunStatus;
  /** Why it is paused, failed or cancelled. */
  readonly reason?: string;
  /** Rises with every takeover: a commit with an older one is refused. */
  readonly epoch: number;
  readonly runner?: RunnerIdentity;
  readonly created_at: string;
  readonly updated_at: string;
  readonly inputs: Readonly<Record<string, string>>;
  /** Names only. */
  readonly secret_inputs: readonly string[];
  /** Those of them that nobody gave: the definition has a value for them. */
  readonly secret_defaults?: readonly string[];
  readonly jobs: number;
  readonly definition: readonly Step[];
  /** In the order in which they began, because a list is copied and compared much faster than an object. Others are pending. */
  readonly steps: readonly NamedState[];
  readonly artifacts: Readonly<Record<string, Artifact>>;
  /** Crashes in a row without a step that got done. */
  readonly crashes: number;
  /** The commit that the project stood at when the last step got done. */
  readonly git_head?: string;
  readonly forked_from?: { readonly run: string; readonly checkpoint: string; readonly step?: string };
  /** Files of results that were dropped by a fork: nobody vouches for them any more. */
  readonly stale_files?: readonly string[];
  readonly archived_as?: string;
  readonly metadata?: Json;
}

/** The state in the trail `run/<id>`: the state of agent work, so that a handoff can be made of it, and the run. */
export type RunDocument = KnownWork & { run: Run };

/** The parts of the work state that are known by name, without the run. */
type KnownWork = {
  -readonly [
    Part in keyof WorkState as string extends Part ? never : Part extends "run" ? never : Part
  ]: WorkState[Part];
};

export const RUN_TRAIL_PREFIX = "run/";

export const runTrail = (id: string): string => `${RUN_TRAIL_PREFIX}${id}`;

const NEVER_STARTED: StepState = { status: "pending", attempt: 0, failures: 0, crashes: 0 };

export function stateOf(run: Run, id: string): StepState {
  const position = indexOf(run).positions.get(id);
  if (position !== undefined) return statesOf(run)[position]!;
  // An edit may have taken it out of the definition.
  return run.steps.find((step) => step.id === id) ?? NEVER_STARTED;
}

export const isBegun = (state: StepState): boolean => state !== NEVER_STARTED;

/** Whether what waits for this step may go on. A reviewer who failed has abstained. */
export function isMet(step: Step, state: StepState): boolean {
  return (
    state.status === "completed" ||
    state.status === "skipped" ||
    (state.status === "failed" && step.reviewer !== undefined)
  );
}

/** Runs in these states are over; the others can be resumed. */
const OVER: readonly RunStatus[] = ["completed", "cancelled", "archived"];

export const isOver = (status: RunStatus): boolean => OVER.includes(status);

export function withSteps(run: Run, changed: Readonly<Record<string, StepState>>): Run {
  return Object.keys(changed).length === 0
    ? run
    : withOwnSteps({ ...run, steps: [...run.steps] }, changed, statesOf(run));
}

/** The same for a run whose steps nobody else has seen yet: they are changed in place, which spares a second copy. */
export function withOwnSteps(
  run: Run,
  changed: Readonly<Record<string, StepState>>,
  before = statesOf(run),
): Run {
  const steps = run.steps as NamedState[];
  const states = [...before];
  const { positions } = indexOf(run);
  for (const [id, state] of Object.entries(changed)) {
    const position = positions.get(id);
    const isNew = position !== undefined && states[position] === NEVER_STARTED;
    // What changes has mostly begun a moment ago, so it stands near the end.
    const place = isNew ? -1 : steps.findLastIndex((step) => step.id === id);
    const named = { id, ...state };
    if (place === -1) steps.push(named);
    else steps[place] = named;
    if (position !== undefined) states[position] = named;
  }
  tables.set(steps, { definition: run.definition, states });
  return { ...run };
}

interface Index {
  readonly byId: ReadonlyMap<string, Step>;
  readonly positions: ReadonlyMap<string, number>;
  /** Where the steps are that each waits for. A need that an edit removed from the definition holds nothing up. */
  readonly needs: readonly (readonly number[])[];
  /** Steps that need no engine, or perhaps none: joins and conditions. */
  readonly instant: readonly number[];
}

// Definitions and states are never changed in place, so what is derived from them is derived once: a run of a
// thousand steps makes a thousand commits, and each looks at all steps several times.
const indexes = new WeakMap<readonly Step[], Index>();
const tables = new WeakMap<
  object,
  { readonly definition: readonly Step[]; readonly states: readonly StepState[] }
>();

export function indexOf({ definition }: Pick<Run, "definition">): Index {
  const known = indexes.get(definition);
  if (known) return known;
  const positions = new Map(definition.map((step, position) => [step.id, position]));
  const index = {
    byId: new Map(definition.map((step) => [step.id, step])),
    positions,
    needs: definition.map(({ needs }) => needs.flatMap((id) => positions.get(id) ?? [])),
    instant: definition.flatMap((step, position) =>
      step.kind === "join" || step.conditions !== undefined ? [position] : [],
    ),
  };
  indexes.set(definition, index);
  return index;
}

/** The states of all steps, in the order of the definition. */
export function statesOf(run: Run): readonly StepState[] {
  const known = tables.get(run.steps);
  if (known?.definition === run.definition) return known.states;
  const begun = new Map(run.steps.map((step) => [step.id, step]));
  const states = run.definition.map((step) => begun.get(step.id) ?? NEVER_STARTED);
  tables.set(run.steps, { definition: run.definition, states });
  return states;
}
