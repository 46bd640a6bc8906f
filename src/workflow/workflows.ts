import { dirname, resolve } from "node:path";

import { thisEnvironment, thisMachine } from "../capture/this-machine.ts";
import { openCairn } from "../checkpoints/cairn.ts";
import type { WorkflowContext } from "./context.ts";
import type { Workflow } from "./definition/types.ts";
import type { OnEvent, RunEvent } from "./run/events.ts";
import type { ResumeVerdict } from "./run/resume-check.ts";
import type { Run } from "./run/run-state.ts";
import { decideRun, type DecideOptions, type DecidedRun } from "./runner/decide-run.ts";
import { resumable, resumePlan, validate, type CheckedPlan, type RunSummary } from "./runner/find-runs.ts";
import { resumeRun, type ResumeOptions } from "./runner/resume-run.ts";
import type { RunnerOptions } from "./runner/runner.ts";
import { startRun, type StartOptions } from "./runner/start-run.ts";

export interface WorkflowsOptions extends Partial<Omit<WorkflowContext, "folder" | "root">> {
  /** The folder of the store, as for `openCairn`; `.cairn` unless given. Steps run in the folder around it. */
  readonly path?: string;
}

/** What a program can be notified of, each event once it is durable. */
export interface RunHooks {
  readonly onStep?: (
    event: Extract<RunEvent, { type: "step-started" | "step-completed" | "step-skipped" }>,
  ) => void;
  readonly onFailure?: (event: Extract<RunEvent, { type: "step-failed" | "step-interrupted" }>) => void;
  /** Answers a question, or leaves it open by returning undefined. */
  readonly onApproval?: RunnerOptions["onApproval"];
}

/** Workflows for programs: everything that the commands do. */
export interface Workflows {
  run(workflow: Workflow, options?: StartOptions & RunHooks): Promise<Run>;
  /** Resumes a run. Steps written in TypeScript need their workflow, because code is not stored. */
  resume(run: string, options?: ResumeOptions & RunHooks): Promise<Run>;
  /** The runs that can be resumed, most recently changed first. */
  resumable(): Promise<RunSummary[]>;
  /** Whether a run may be resumed, with all reasons. */
  validate(run: string): Promise<ResumeVerdict>;
  /** What is done, what remains and what comes next. */
  resumePlan(run: string): Promise<CheckedPlan>;
  decide(run: string, options: DecideOptions): Promise<DecidedRun>;
  /** Closes the store, unless it was passed in as `cairn`: then its owner closes it. */
  close(): Promise<void>;
}

/**
 * Opens the workflows of a project.
 *
 * @example
 * const workflows = await openWorkflows({ path: ".cairn" });
 * for (const { id } of await workflows.resumable()) await workflows.resume(id, { onFailure: console.error });
 * await workflows.close();
 */
export async function openWorkflows(options: WorkflowsOptions = {}): Promise<Workflows> {
  const { path = ".cairn", now = () => new Date(), env = thisEnvironment, ...given } = options;
  const { pid, host, kill } = thisMachine;
  const folder = resolve(path);
  const cairn = given.cairn ?? (await openCairn({ path: folder, now }));
  const context = { pid, host, kill, ...given, root: dirname(folder), folder, env, now, cairn };
  return {
    run: (workflow, options = {}) => startRun(context, workflow, withHooks(options)),
    resume: (run, options = {}) => resumeRun(context, run, withHooks(options)),
    resumable: () => resumable(context),
    validate: (run) => validate(context, run),
    resumePlan: (run) => resumePlan(context, run),
    decide: (run, options) => decideRun(context, run, options),
    close: async () => {
      if (given.cairn === undefined) await cairn.close();
    },
  };
}

function withHooks<Options extends RunHooks & { readonly onEvent?: OnEvent }>(options: Options): Options {
  const { onStep, onFailure, onEvent } = options;
  return {
    ...options,
    onEvent: (event: RunEvent) => {
      onEvent?.(event);
      if (event.type === "step-started" || event.type === "step-completed" || event.type === "step-skipped")
        onStep?.(event);
      if (event.type === "step-failed" || event.type === "step-interrupted") onFailure?.(event);
    },
  };
}
