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
import "../store/sqlite/node-sqlite.ts";
export type { Actor } from "./actor.ts";
export { sessionEvent, type EventSender, type EventWorld } from "./events/session-event.ts";
export { gate } from "./gate/preflight.ts";
export { health } from "./gate/health.ts";
export * from "./governance/agents.ts";
export {
  authorityInit,
  authorityRotate,
  authorityShow,
  authoritySubmit,
  authorityTrust,
  type AuthorityReport,
  type DecreeResult,
  type Signing,
} from "./governance/authority.ts";
export * from "./governance/evidence.ts";
export * from "./governance/exec.ts";
export * from "./governance/governance-report.ts";
export * from "./governance/ledger.ts";
export * from "./governance/policy.ts";
export { vaultPoliciesFor } from "./governance/vault.ts";
export * from "./history/go-back.ts";
export * from "./history/tags.ts";
export * from "./history/trails.ts";
export * from "./keeping/backup.ts";
export * from "./keeping/import.ts";
export {
  mirror,
  mirrorList,
  mirrorRestore,
  type MirrorRestoreInput,
  type RestoredMirror,
} from "./keeping/mirror.ts";
export * from "./keeping/prune.ts";
export * from "./keeping/usage.ts";
export * from "./keeping/salvage.ts";
export * from "./keeping/verify.ts";
export * from "./looking/diff.ts";
export { allOrOne, list, log } from "./looking/list.ts";
export type * from "./looking/list.ts";
export * from "./looking/load.ts";
export { sessions, type AgentSessionReport, type SessionsInput } from "./looking/sessions.ts";
export * from "./looking/status.ts";
export * from "./looking/summary.ts";
export * from "./looking/timeline.ts";
export { unfinished, type Unfinished } from "./looking/unfinished.ts";
export { openProject, type OpenProjectOptions } from "./open-project.ts";
export type { Machine } from "../capture/this-machine.ts";
export type { Notices, Opening, Project, Stores } from "./project.ts";
export { pull, type PullInput } from "./remotes/pull.ts";
export type { FailedTrail, PulledTrail } from "./remotes/pull-one.ts";
export { push, type PushedTrail, type PushInput } from "./remotes/push.ts";
export { onRemoteMoved, type RemoteMoves } from "./remotes/remote-moves.ts";
export { remoteShow, type RemoteShowInput, type ShownLatest } from "./remotes/remote-show.ts";
export {
  keyExport,
  keyImport,
  remoteAdd,
  remoteRemove,
  remotes,
  type RemoteAddInput,
} from "./remotes/remotes.ts";
export * from "./remotes/sync.ts";
export * from "./runs/answer.ts";
export * from "./runs/artifacts.ts";
export { progressNote, progressScan, type ProgressNoteInput } from "./runs/progress.ts";
export * from "./runs/put-aside.ts";
export * from "./runs/questions.ts";
export { runLogs, type RunLogsInput, type RunLogsResult, type StepLog } from "./runs/run-logs.ts";
export * from "./runs/runs.ts";
export * from "./saving/now.ts";
export * from "./work/entries.ts";
export * from "./work/goal.ts";
export { outputAdd } from "./work/outputs.ts";
export * from "./work/phase.ts";
export { promote } from "./work/promote.ts";
export * from "./work/tasks.ts";
export * from "./work/variables.ts";
