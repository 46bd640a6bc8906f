export { CheckpointError, EXIT_STATUS, isCheckpointError, type ErrorCode } from "./errors.ts";
export type { Json, JsonObject, Path } from "./objects/json.ts";
export { openCairn, type Cairn, type CairnOptions } from "./checkpoints/cairn.ts";
export type { Checkpoint, CheckpointInfo, CommitNotes } from "./checkpoints/document.ts";
export type { CheckpointDiff, Trail, TrailOptions } from "./checkpoints/trail.ts";
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
export { openMemoryStore } from "./store/memory.ts";
export { openSqliteStore } from "./store/sqlite.ts";
