/** Remotes, mirrors and backups, for programs. */
export { backup, backupRestore, type BackupInput } from "./verbs/backup.ts";
export {
  mirror,
  mirrorList,
  mirrorRestore,
  type MirrorRestoreInput,
  type RestoredMirror,
} from "./verbs/mirror.ts";
export { pull, type PullInput } from "./remotes/pull.ts";
export type { FailedTrail, PulledTrail } from "./remotes/pull-one.ts";
export { push, type PushedTrail, type PushInput } from "./remotes/push.ts";
export {
  onRemoteMoved,
  remoteShow,
  type RemoteMoves,
  type RemoteShowInput,
  type ShownLatest,
} from "./remotes/remote-show.ts";
export {
  keyExport,
  keyImport,
  remoteAdd,
  remoteRemove,
  remotes,
  type RemoteAddInput,
} from "./remotes/remotes.ts";
export * from "./remotes/sync.ts";
