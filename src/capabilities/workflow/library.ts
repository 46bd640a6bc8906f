/** Runs, for programs. */
export * from "./verbs/answer.ts";
export * from "./verbs/artifacts.ts";
export { progressNote, progressScan, type ProgressNoteInput } from "./verbs/progress.ts";
export * from "./verbs/put-aside.ts";
export * from "./verbs/questions.ts";
export { runLogs, type RunLogsInput, type RunLogsResult, type StepLog } from "./verbs/run-logs.ts";
export * from "./verbs/runs.ts";
export * from "./verbs/signal.ts";
