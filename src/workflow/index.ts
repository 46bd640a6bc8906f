export type { WorkflowContext } from "./context.ts";
export { defineWorkflow } from "./definition/define-workflow.ts";
export { formatDuration, parseDuration } from "./definition/duration.ts";
export { secretInputs } from "./definition/inputs.ts";
export { loadWorkflow, parseWorkflow } from "./definition/load-workflow.ts";
export type { Problem } from "./definition/problems.ts";
export type {
  Step,
  StepCall,
  StepFunction,
  StepSource,
  Workflow,
  WorkflowSource,
} from "./definition/types.ts";
export type { OnEvent, RunEvent } from "./run/events.ts";
export type { ResumeVerdict } from "./run/resume-check.ts";
export type { ResumeFinding } from "./run/resume-finding.ts";
export type { PlannedStep, ResumePlan } from "./run/resume-plan.ts";
export {
  stateOf,
  type Artifact,
  type Decision,
  type Run,
  type RunStatus,
  type StepState,
  type StepStatus,
} from "./run/run-state.ts";
export { archiveRun, type Archived } from "./runner/archive.ts";
export { cleanRuns, type CleanOptions, type CleanReport } from "./runner/clean-runs.ts";
export { cancelRun } from "./runner/cancel-run.ts";
export { decideRun, type Decided, type DecideOptions } from "./runner/decide-run.ts";
export { exitStatusOf } from "./run/exit-status.ts";
export { readRun } from "./runner/examine-run.ts";
export {
  findRuns,
  resumable,
  resumePlan,
  summarize,
  validate,
  type FindOptions,
  type RunSummary,
} from "./runner/find-runs.ts";
export { forkRun, type ForkOptions } from "./runner/fork-run.ts";
export { listArtifacts, type ArtifactList, type ListedArtifact } from "./runner/list-artifacts.ts";
export { resumeRun, type ResumeOptions } from "./runner/resume-run.ts";
export type { Answer, OnApproval, Question } from "./runner/questions.ts";
export type { RunnerOptions } from "./runner/runner.ts";
export { startRun, type StartOptions } from "./runner/start-run.ts";
export { openWorkflows, type Hooks, type Workflows } from "./workflows.ts";
export {
  noteProgress,
  type Noted,
  type NoteOptions,
  type ProgressContext,
} from "./progress/note-progress.ts";
export { parseProgress } from "./progress/parse-progress.ts";
export { MILESTONES, PHASES, STATUSES, type Progress, type ProgressNote } from "./progress/progress.ts";
export { incompleteProgress, scanProgress, type ProgressScan } from "./progress/scan-progress.ts";
export { WORKFLOW_SCHEMA } from "./definition/schema.ts";
export type { Template } from "./templates/template.ts";
export { findTemplate, TEMPLATES, writeTemplate } from "./templates/templates.ts";
