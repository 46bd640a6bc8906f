/**
 * Durable checkpoints of agent work, or of any JSON state.
 *
 * @example
 * const cairn = await openCairn({ path: ".cairn" });
 * const trail = cairn.trail("main");
 * await trail.commit((state) => { state.goal = "Ship the login page"; });
 * const { state, checkpoint_id } = await trail.load();
 * await cairn.close();
 *
 * @packageDocumentation
 */
export { CheckpointError, EXIT_STATUS, isCheckpointError, type ErrorCode } from "./errors.ts";
export type { Json, JsonObject, Path } from "./objects/json.ts";
export { openCairn, type Cairn, type CairnOptions } from "./checkpoints/cairn.ts";
export { autoCheckpoints, type AutoCheckpoints } from "./checkpoints/auto.ts";
export type { CheckpointId } from "./checkpoints/checkpoint-id.ts";
export type {
  Checkpoint,
  CheckpointInfo,
  CommitNotes,
  CommitOptions,
  Committed,
} from "./checkpoints/document.ts";
export { prune, type PruneReport } from "./checkpoints/prune.ts";
export { createRedactor, type Finding, type Redactor } from "./redaction/redactor.ts";
export { planRetention, type RetentionPlan } from "./checkpoints/retention.ts";
export { DEFAULT_RETENTION, isAutomatic, type RetentionPolicy } from "./checkpoints/retention-policy.ts";
export { exportTrail } from "./checkpoints/transfer/export-trail.ts";
export { flatten } from "./checkpoints/transfer/flat-document.ts";
export { importTrail } from "./checkpoints/transfer/import-trail.ts";
export type { CheckpointDiff, Trail } from "./checkpoints/trail.ts";
export type { TrailOptions } from "./checkpoints/trail-writer.ts";
export {
  emptyWorkState,
  type Command,
  type Decision,
  type Dependency,
  type Output,
  type Phase,
  type Provenance,
  type Remark,
  type Task,
  type WorkState,
  type Workspace,
} from "./checkpoints/work-state.ts";
export type { Store } from "./store/contract.ts";
export { capture, type CaptureOptions, type Captured } from "./capture/capture.ts";
export { variablesCollector, type Collector } from "./capture/collect.ts";
export type { Change } from "./objects/diff.ts";
export { openMemoryStore } from "./store/memory.ts";
export { openSqliteStore } from "./store/sqlite.ts";
export { forSubagent, type SubagentOptions } from "./handoff/for-subagent.ts";
export { handoff, type HandoffInput } from "./handoff/handoff.ts";
export { LEVELS, type HandoffOptions, type Level } from "./handoff/options.ts";
export type { Handoff } from "./handoff/report.ts";
export {
  countTokens,
  type Family,
  type TokenCount,
  type TokenCounter,
} from "./handoff/tokens/token-counter.ts";
