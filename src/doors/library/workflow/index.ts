/**
 * Workflows that survive crashes and resume where they stopped. See docs/workflows.md.
 *
 * @example
 * const workflows = await openWorkflows({ path: ".cairn" });
 * const run = await workflows.run(await loadWorkflow("build.yaml", { cwd: "." }), { inputs: { feature: "login" } });
 * await workflows.close();
 *
 * @packageDocumentation
 */
// oxlint-disable-next-line import/no-unassigned-import -- First, so that an older Node is refused in words.
import "../../../core/store/sqlite/node-sqlite.ts";
export { defineWorkflow } from "../../../capabilities/workflow/definition/define-workflow.ts";
export { loadWorkflow } from "../../../capabilities/workflow/definition/load-workflow.ts";
export { WORKFLOW_SCHEMA } from "../../../capabilities/workflow/definition/check-source.ts";
export type {
  StepCall,
  StepFunction,
  StepSource,
  Workflow,
  WorkflowSource,
} from "../../../capabilities/workflow/definition/types.ts";
export type { RunEvent } from "../../../capabilities/workflow/run/events.ts";
export type { ResumeVerdict } from "../../../capabilities/workflow/run/resume-check.ts";
export type { ResumePlan } from "../../../capabilities/workflow/run/resume-plan.ts";
export type { Artifact, Run, StepState } from "../../../capabilities/workflow/run/run-state.ts";
export type { RunStatus } from "../../../work/state/run-trail.ts";
export type { RunSummary } from "../../../capabilities/workflow/runner/find-runs.ts";
export { runWorker, type RunWorkerOptions } from "./run-worker.ts";
export { openWorkflows, type RunHooks, type Workflows, type WorkflowsOptions } from "./workflows.ts";
