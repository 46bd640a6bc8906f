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
import "../../core/store/sqlite/node-sqlite.ts";
export { CheckpointError, isCheckpointError, type ErrorCode } from "../../core/errors.ts";
export type { Json, JsonObject, Path } from "../../core/objects/json.ts";
export type { Change } from "../../core/objects/diff.ts";
export {
  createRedactor,
  type Finding,
  type Redactor,
  type RedactorOptions,
  type SecretMemory,
} from "../../core/redaction/redactor.ts";
export type { Store } from "../../core/store/contract.ts";
export { openCairn, type Cairn, type CairnOptions } from "../../work/state/cairn.ts";
export type { CheckpointId } from "../../core/trails/names.ts";
export type {
  Checkpoint,
  CheckpointInfo,
  CommitNotes,
  CommitOptions,
  Committed,
} from "../../core/trails/document.ts";
export type { PruneReport } from "../../core/trails/prune.ts";
export { DEFAULT_RETENTION, type RetentionPolicy } from "../../core/trails/retention-policy.ts";
export { exportTrail } from "../../core/trails/transfer/export-trail.ts";
export { importTrail } from "../../work/import/import-trail.ts";
export type { CheckpointDiff, Trail } from "../../core/trails/trail.ts";
export type { TrailOptions } from "../../core/trails/trail-options.ts";
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
} from "../../work/state/work-state.ts";
