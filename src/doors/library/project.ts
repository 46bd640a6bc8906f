/**
 * What the command and the MCP server do, for programs: each verb is a function of a project and its input.
 *
 * @example
 * const project = openProject({ path: ".", agent: "planner" });
 * await decide(project, { what: "Use SQLite", why: "Nothing to install" });
 * const { text } = await summary(project, { level: "compact" });
 * await project.stores.close();
 *
 * @packageDocumentation
 */
// oxlint-disable-next-line import/no-unassigned-import -- First, so that an older Node is refused in words.
import "../../core/store/sqlite/node-sqlite.ts";
export type { Actor } from "../../work/project/actor.ts";
export { sessionEvent, type EventSender } from "../../work/project/events/session-event.ts";
export type { EventWorld } from "../../work/project/gate.ts";
export { gate } from "../../capabilities/governance/project-gate/preflight.ts";
export { health } from "../../capabilities/governance/project-gate/health.ts";
export * from "../../capabilities/governance/verbs/agents.ts";
export {
  authorityInit,
  authorityRotate,
  authorityShow,
  authoritySubmit,
  authorityTrust,
  type AuthorityReport,
  type DecreeResult,
  type Signing,
} from "../../capabilities/governance/verbs/authority.ts";
export * from "../../capabilities/governance/verbs/evidence.ts";
export * from "../../capabilities/governance/verbs/exec.ts";
export * from "../../capabilities/governance/verbs/governance-report.ts";
export * from "../../capabilities/governance/verbs/ledger.ts";
export * from "../../capabilities/governance/verbs/policy.ts";
export { vaultPoliciesFor } from "../../capabilities/governance/verbs/vault.ts";
export * from "../../work/project/history/go-back.ts";
export * from "../../work/project/history/tags.ts";
export * from "../../work/project/history/trails.ts";
export * from "../../capabilities/sync/verbs/backup.ts";
export * from "../../work/project/maintenance/import.ts";
export {
  mirror,
  mirrorList,
  mirrorRestore,
  type MirrorRestoreInput,
  type RestoredMirror,
} from "../../capabilities/sync/verbs/mirror.ts";
export * from "../../work/project/maintenance/prune.ts";
export * from "../../work/project/maintenance/usage.ts";
export * from "../../work/project/maintenance/salvage.ts";
export * from "../../work/project/maintenance/verify.ts";
export * from "../../work/project/reading/diff.ts";
export { allOrOne, list, log } from "../../work/project/reading/list.ts";
export type * from "../../work/project/reading/list.ts";
export * from "../../work/project/reading/load.ts";
export {
  sessions,
  type AgentSessionReport,
  type SessionsInput,
} from "../../work/project/reading/sessions.ts";
export * from "../../work/project/reading/status.ts";
export * from "../../work/project/reading/summary.ts";
export * from "../../work/project/reading/timeline.ts";
export { unfinished, type Unfinished } from "../../work/project/reading/unfinished.ts";
export { openProject, type OpenProjectOptions } from "./open-project.ts";
export type { Machine } from "../../work/machine/this-machine.ts";
export type { Notices, Opening, Project, Stores } from "../../work/project/project.ts";
export { pull, type PullInput } from "../../capabilities/sync/remotes/pull.ts";
export type { FailedTrail, PulledTrail } from "../../capabilities/sync/remotes/pull-one.ts";
export { push, type PushedTrail, type PushInput } from "../../capabilities/sync/remotes/push.ts";
export { onRemoteMoved, type RemoteMoves } from "../../capabilities/sync/remotes/remote-moves.ts";
export {
  remoteShow,
  type RemoteShowInput,
  type ShownLatest,
} from "../../capabilities/sync/remotes/remote-show.ts";
export {
  keyExport,
  keyImport,
  remoteAdd,
  remoteRemove,
  remotes,
  type RemoteAddInput,
} from "../../capabilities/sync/remotes/remotes.ts";
export * from "../../capabilities/sync/remotes/sync.ts";
export * from "../../capabilities/workflow/verbs/answer.ts";
export * from "../../capabilities/workflow/verbs/artifacts.ts";
export {
  progressNote,
  progressScan,
  type ProgressNoteInput,
} from "../../capabilities/workflow/verbs/progress.ts";
export * from "../../capabilities/workflow/verbs/put-aside.ts";
export * from "../../capabilities/workflow/verbs/questions.ts";
export {
  runLogs,
  type RunLogsInput,
  type RunLogsResult,
  type StepLog,
} from "../../capabilities/workflow/verbs/run-logs.ts";
export * from "../../capabilities/workflow/verbs/runs.ts";
export * from "../../work/project/saving/now.ts";
export * from "../../work/project/work/entries.ts";
export * from "../../work/project/work/goal.ts";
export { outputAdd } from "../../work/project/work/outputs.ts";
export * from "../../work/project/work/phase.ts";
export { promote } from "../../work/project/work/promote.ts";
export * from "../../work/project/work/tasks.ts";
export * from "../../work/project/work/variables.ts";
