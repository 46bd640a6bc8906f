import type { Workflow } from "./definition/types.ts";
import type { WorkflowContext } from "./context.ts";
import type { OnEvent, RunEvent } from "./run/events.ts";
import type { ResumeVerdict } from "./run/resume-check.ts";
import type { ResumePlan } from "./run/resume-plan.ts";
import type { Run } from "./run/run-state.ts";
import { decideRun, type Decided, type DecideOptions } from "./runner/decide-run.ts";
import { resumable, resumePlan, validate, type RunSummary } from "./runner/find-runs.ts";
import { resumeRun, type ResumeOptions } from "./runner/resume-run.ts";
import type { RunnerOptions } from "./runner/runner.ts";
import { startRun, type StartOptions } from "./runner/start-run.ts";

/** What a program may want to be told; each after it was made durable. */
export interface Hooks {
  readonly onStep?: (
    event: Extract<RunEvent, { type: "step-started" | "step-completed" | "step-skipped" }>,
  ) => void;
  readonly onFailure?: (event: Extract<RunEvent, { type: "step-failed" | "step-interrupted" }>) => void;
  /** Answers a question at once, or leaves it open by returning undefined. */
  readonly onApproval?: RunnerOptions["onApproval"];
}

/** Workflows for programs: everything that the commands do. */
export interface Workflows {
  run(workflow: Workflow, options?: StartOptions & Hooks): Promise<Run>;
  /** Goes on with a run. Steps in TypeScript need their workflow: it cannot be stored. */
  resume(run: string, options?: ResumeOptions & Hooks): Promise<Run>;
  /** The runs that could go on, the one that moved last first. */
  resumable(): Promise<RunSummary[]>;
  /** Whether a run may go on, with all reasons. */
  validate(run: string): Promise<ResumeVerdict>;
  /** What is done, what remains and what comes next. */
  resumePlan(run: string): Promise<ResumePlan & { readonly gate: ResumeVerdict }>;
  decide(run: string, options: DecideOptions): Promise<Decided>;
}

/**
 * Workflows in a project.
 *
 * @example
 * const workflows = openWorkflows({ cairn, root, folder: join(root, ".cairn"), env: process.env, now: () => new Date(),
 *   pid: process.pid, host: hostname(), kill: (pid, signal) => process.kill(pid, signal) });
 * for (const { id } of await workflows.resumable()) await workflows.resume(id, { onFailure: console.error });
 */
export function openWorkflows(context: WorkflowContext): Workflows {
  return {
    run: (workflow, options = {}) => startRun(context, workflow, withHooks(options)),
    resume: (run, options = {}) => resumeRun(context, run, withHooks(options)),
    resumable: () => resumable(context),
    validate: (run) => validate(context, run),
    resumePlan: (run) => resumePlan(context, run),
    decide: (run, options) => decideRun(context, run, options),
  };
}

function withHooks<Options extends Hooks & { readonly onEvent?: OnEvent }>(options: Options): Options {
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
