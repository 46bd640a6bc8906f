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
// oxlint-disable-next-line import/no-unassigned-import -- First, so that an older Node is refused in words.
import "./store/sqlite/node-sqlite.ts";
export { CheckpointError, isCheckpointError, type ErrorCode } from "./errors.ts";
export type { Json, JsonObject, Path } from "./objects/json.ts";
export type { Change } from "./objects/diff.ts";
export {
  createRedactor,
  type Finding,
  type Redactor,
  type RedactorOptions,
  type SecretMemory,
} from "./redaction/redactor.ts";
export type { Store } from "./store/contract.ts";
export { openCairn, type Cairn, type CairnOptions } from "./checkpoints/cairn.ts";
export type { CheckpointId } from "./checkpoints/names.ts";
export type {
  Checkpoint,
  CheckpointInfo,
  CommitNotes,
  CommitOptions,
  Committed,
} from "./checkpoints/document.ts";
export type { PruneReport } from "./checkpoints/prune.ts";
export { DEFAULT_RETENTION, type RetentionPolicy } from "./checkpoints/retention-policy.ts";
export { exportTrail } from "./checkpoints/transfer/export-trail.ts";
export { importTrail } from "./checkpoints/transfer/import-trail.ts";
export type { CheckpointDiff, Trail } from "./checkpoints/trail.ts";
export type { TrailOptions } from "./checkpoints/trail-options.ts";
export {
  emptyWorkState,
  type Command,
  type Decision,
  type Dependency,
  type RecentOutput,
  type Phase,
  type Provenance,
  type Remark,
  type Task,
  type WorkState,
  type Workspace,
} from "./checkpoints/work-state.ts";
