import { type Capability, findPart, notInBuild } from "../../work/project/capability.ts";
import type { Project } from "../../work/project/project.ts";
import type { RunLeases, WorkflowContext } from "./context.ts";
import type { Workflow } from "./definition/types.ts";
import type { Artifact, Run } from "./run/run-state.ts";
import type { ResumeOptions } from "./runner/resume-run.ts";
import type { RunnerOptions } from "./runner/runner.ts";
import type { StartOptions } from "./runner/start-run.ts";

/** What runs in a shared store need besides the store: other machines may drive them, and do their steps. */
export interface RunsElsewhere {
  /** Starts a run whose steps are done there, and watches it as long as `startRun` would stay. */
  start(
    this: void,
    context: WorkflowContext,
    workflow: Workflow,
    options: StartOptions & WatchOptions,
  ): Promise<Run>;
  /** Hands such a run in, and does not watch it. The run's name is the key: twice is once. */
  submit(context: WorkflowContext, workflow: Workflow, options: StartOptions): Promise<SubmittedRun>;
  /** Sets such a run going again: what failed may run again. It stays on its commit unless another one is given. */
  resume(this: void, context: WorkflowContext, id: string, options: ResumeElsewhereOptions): Promise<Run>;
  /** What a run would be moved to by naming a commit. */
  workflowAtCommit(context: WorkflowContext, run: Run, name: string): Promise<CommittedWorkflow>;
  /** Leases that hold between machines. */
  leases(context: Pick<WorkflowContext, "folder" | "host">): RunLeases;
  /** After somebody decided about a run, or ended it: what follows is started or stopped. Does nothing for runs that a runner drives. */
  move(context: WorkflowContext, run: Run): Promise<void>;
  /** The head of a trail once it is not `known` any more; `known` when the signal comes first. */
  nextHead(trail: string, known: string | undefined, signal: AbortSignal): Promise<string | undefined>;
  /** How the output of each attempt ends, except of those in `known`. */
  readLogs(run: string, known: readonly AttemptName[]): Promise<readonly AttemptLog[]>;
  /** Takes the steps of one queue and does them here, until it is told to drain. */
  work(context: WorkflowContext, options: WorkElsewhereOptions): Promise<void>;
  /** Puts a registered file where it belongs below `root`, unless it is there. */
  fetchFile(root: string, artifact: Artifact): Promise<void>;
}

export interface WatchOptions extends RunnerOptions {
  /** The signal pauses the run, instead of only ending the watching. */
  readonly pausesOnSignal?: boolean;
}

/** A run that was handed in; not new when one of that name was there, with the same workflow and inputs. */
export interface SubmittedRun {
  readonly run: Run;
  readonly isNew: boolean;
}

export interface ResumeElsewhereOptions extends ResumeOptions, WatchOptions {
  /** The commit that it moves to: `workflow` as that commit defines it, and the files. */
  readonly commit?: string | undefined;
}

interface WorkElsewhereOptions {
  readonly queue: string;
  /** Workflows of this program: only their steps are done. */
  readonly workflows: readonly Workflow[];
  /** After this long without a sign of life its steps are given to others. */
  readonly leaseMs: number;
  /** Takes nothing more, and ends when what it runs has ended. */
  readonly drain: AbortSignal;
}

/** A commit, and a run's workflow as that commit defines it. */
export interface CommittedWorkflow {
  readonly commit: string;
  readonly workflow: Workflow;
}

interface AttemptName {
  readonly step: string;
  readonly attempt: number;
}

interface AttemptLog extends AttemptName {
  readonly tail: string;
}

/** A capability that drives runs on other machines. */
export interface DrivesElsewhere extends Capability {
  readonly elsewhere?: () => Promise<(project: Project) => Promise<RunsElsewhere | undefined>>;
}

/** What runs in a project's shared store need; undefined for a store in `.cairn`, whose runs are all here. */
export async function elsewhereOf(project: Project): Promise<RunsElsewhere | undefined> {
  if (project.shared === undefined) return undefined;
  const open = await findPart<DrivesElsewhere, "elsewhere">(project, "elsewhere");
  // Without leases between machines, two of them could run the same steps.
  if (open === undefined)
    throw notInBuild("The runs of a shared store belong to several machines", "workers");
  return open(project);
}
