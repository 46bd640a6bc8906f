import { resolve } from "node:path";

import { thisEnvironment } from "../../../work/machine/this-machine.ts";
import { openUnguarded } from "../../../work/state/cairn.ts";
import type { WorkflowContext } from "../../../capabilities/workflow/context.ts";
import type { Workflow } from "../../../capabilities/workflow/definition/types.ts";
import { answererOf, governedAnswer, questionFor } from "../../../work/project/answering.ts";
import type { Project } from "../../../work/project/project.ts";
import { deciderOf } from "../../../capabilities/workflow/verbs/decider.ts";
import { gatedAnswers } from "../../../capabilities/workflow/verbs/gated-answers.ts";
import { openRuns } from "../../../capabilities/workflow/verbs/open-runs.ts";
import { GivenStores } from "./given-stores.ts";
import { openProjectAt } from "./project-at.ts";
import type { OnEvent, RunEvent } from "../../../capabilities/workflow/run/events.ts";
import type { ResumeVerdict } from "../../../capabilities/workflow/run/resume-check.ts";
import type { Run } from "../../../capabilities/workflow/run/run-state.ts";
import {
  decideRun,
  type DecideOptions,
  type DecidedRun,
} from "../../../capabilities/workflow/runner/decide-run.ts";
import { readRun } from "../../../capabilities/workflow/runner/examine-run.ts";
import {
  resumable,
  resumePlan,
  validate,
  type CheckedPlan,
  type RunSummary,
} from "../../../capabilities/workflow/runner/find-runs.ts";
import { resumeRun, type ResumeOptions } from "../../../capabilities/workflow/runner/resume-run.ts";
import type { RunnerOptions } from "../../../capabilities/workflow/runner/runner.ts";
import { startRun, type StartOptions } from "../../../capabilities/workflow/runner/start-run.ts";

export interface WorkflowsOptions extends Partial<Omit<WorkflowContext, "folder" | "root" | "gate">> {
  /** The folder of the store, as for `openCairn`; `.cairn` unless given. Steps run in the folder around it. */
  readonly path?: string;
  /** The agent that acts, where the project is governed; without one it is the one that `env` names, or a person. */
  readonly agent?: string;
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

/** Workflows for programs: everything that the commands do, behind the same gate where the project is governed. */
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
  const { path = ".cairn", now = () => new Date(), env = thisEnvironment, agent, cairn, ...given } = options;
  const folder = resolve(path);
  const store = { cairn: cairn ?? (await openUnguarded({ path: folder, now })), isLent: cairn !== undefined };
  const stores = await GivenStores.from(store, now);
  const project = { ...openProjectAt(folder, { env, now, agent }), stores };
  const context = { ...(await openRuns(project, "create")), ...given };
  return {
    run: (workflow, options = {}) => startRun(context, workflow, withHooks(options, project)),
    resume: (run, options = {}) => resumeRun(context, run, withHooks(options, project)),
    resumable: () => resumable(context),
    validate: (run) => validate(context, run),
    resumePlan: (run) => resumePlan(context, run),
    decide: async (run, options) => {
      const answerer = await answererOf(project);
      const admission = await governedAnswer(answerer, questionFor(await readRun(context, run)));
      if (admission === undefined) return decideRun(context, run, options);
      const governed = await openRuns(answerer.project, "write", admission);
      return decideRun(governed, run, { ...options, ...(answerer.agent && deciderOf(answerer)) });
    },
    close: () => stores.close(),
  };
}

function withHooks<Options extends RunHooks & { readonly onEvent?: OnEvent }>(
  options: Options,
  project: Project,
): Options {
  const { onStep, onFailure, onEvent, onApproval } = options;
  return {
    ...options,
    ...(onApproval && { onApproval: gatedAnswers(project, onApproval) }),
    onEvent: (event: RunEvent) => {
      onEvent?.(event);
      if (event.type === "step-started" || event.type === "step-completed" || event.type === "step-skipped")
        onStep?.(event);
      if (event.type === "step-failed" || event.type === "step-interrupted") onFailure?.(event);
    },
  };
}
