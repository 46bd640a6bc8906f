import { resolve } from "node:path";

import { thisEnvironment } from "../../../work/machine/this-machine.ts";
import { CheckpointError } from "../../../core/errors.ts";
import { openUnguarded } from "../../../work/state/cairn.ts";
import type { PostgresOptions } from "../../../capabilities/postgres/store/connection-options.ts";
import { openPostgresStore } from "../../../capabilities/postgres/store.ts";
import { elsewhereOf, type SubmittedRun } from "../../../capabilities/workflow/elsewhere.ts";
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
import { pauseRun } from "../../../capabilities/workflow/runner/pause-run.ts";
import { sendSignal, type SignalOptions } from "../../../capabilities/workflow/runner/send-signal.ts";
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
  /** A store that many machines share, whose workers can be handed runs; instead of `path` or `cairn`. */
  readonly store?: PostgresOptions;
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
  /**
   * Hands a run to the workers of the shared store, durable when it resolves, and does not wait for it. `runId` is its key: a
   * second call with it finds the same run, and rejects with `conflict` if workflow or inputs differ.
   *
   * @example
   * const { run, isNew } = await workflows.submit(release, { runId: "order-17", inputs: { tag: "v2" } });
   */
  submit(workflow: Workflow, options?: StartOptions): Promise<SubmittedRun>;
  /** Sends a signal to a run: the result of a step with `wait`. One that comes before its step waits for it. */
  signal(run: string, signal: SignalOptions): Promise<{ readonly run: Run; readonly isNew: boolean }>;
  /** Stops a run until it is resumed, wherever it runs. */
  pause(run: string, options?: { readonly reason?: string }): Promise<Run>;
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
  const {
    path = ".cairn",
    now = () => new Date(),
    env = thisEnvironment,
    agent,
    cairn,
    store,
    ...given
  } = options;
  const folder = resolve(path);
  const place = store === undefined ? { path: folder } : { store: await openPostgresStore(store) };
  const opened = { cairn: cairn ?? (await openUnguarded({ ...place, now })), isLent: cairn !== undefined };
  const stores = await GivenStores.from(opened, now);
  const shared = store && { shared: { ...store, variable: "store" } };
  const project: Project = { ...openProjectAt(folder, { env, now, agent }), ...shared, stores };
  const context = { ...(await openRuns(project, "create")), ...given };
  return {
    run: (workflow, options = {}) => startRun(context, workflow, withHooks(options, project)),
    submit: async (workflow, options = {}) => {
      const workers = await elsewhereOf(project);
      if (workers !== undefined) return workers.submit(context, workflow, options);
      throw new CheckpointError("usage", "Runs are handed to the workers of a shared store.", {
        hint: 'openWorkflows({ store: { url: "postgres://…" } })',
      });
    },
    signal: async (run, signal) => {
      const sent = await sendSignal(context, run, signal);
      await (await elsewhereOf(project))?.move(context, sent.run);
      return sent;
    },
    pause: async (run, { reason = "Paused by a program." } = {}) => {
      const paused = await pauseRun(context, run, reason);
      await (await elsewhereOf(project))?.move(context, paused);
      return paused;
    },
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
