import type { Context } from "./context.ts";
import type { Output } from "./output.ts";
import type { OptionsOf } from "./spec.ts";
import type { COMMANDS, CommandName } from "./table.ts";

/** A command: a function of the world, what was typed, and where to print. May say with which status to end. */
export type Run<Name extends CommandName> = (
  context: Context,
  options: OptionsOf<(typeof COMMANDS)[Name]>,
  output: Output,
) => Promise<number | void>;

/** Each command is a file of its own, loaded when it is typed. */
export const LOADERS: { readonly [Name in CommandName]: () => Promise<Run<Name>> } = {
  now: async () => (await import("./commands/now.ts")).now,
  load: async () => (await import("./commands/load.ts")).load,
  list: async () => (await import("./commands/list.ts")).list,
  log: async () => (await import("./commands/log.ts")).log,
  diff: async () => (await import("./commands/diff.ts")).diff,
  status: async () => (await import("./commands/status.ts")).status,
  summary: async () => (await import("./commands/summary.ts")).summary,
  watch: async () => (await import("./commands/watch.ts")).watch,
  goal: async () => (await import("./commands/goal.ts")).goal,
  next: async () => (await import("./commands/next.ts")).next,
  constraint: async () => (await import("./commands/constraint.ts")).constraint,
  decide: async () => (await import("./commands/decide.ts")).decide,
  block: async () => (await import("./commands/block.ts")).block,
  unblock: async () => (await import("./commands/unblock.ts")).unblock,
  "phase start": async () => (await import("./commands/phase.ts")).phaseStart,
  "phase complete": async () => (await import("./commands/phase.ts")).phaseComplete,
  "phase fail": async () => (await import("./commands/phase.ts")).phaseFail,
  set: async () => (await import("./commands/set.ts")).set,
  unset: async () => (await import("./commands/set.ts")).unset,
  "task add": async () => (await import("./commands/task-add.ts")).taskAdd,
  "task start": async () => (await import("./commands/task-status.ts")).taskStart,
  "task done": async () => (await import("./commands/task-status.ts")).taskDone,
  "task block": async () => (await import("./commands/task-status.ts")).taskBlock,
  "task cancel": async () => (await import("./commands/task-status.ts")).taskCancel,
  "task list": async () => (await import("./commands/task-list.ts")).taskList,
  runs: async () => (await import("./commands/runs.ts")).runs,
  "runs show": async () => (await import("./commands/runs-show.ts")).runsShow,
  artifacts: async () => (await import("./commands/artifacts.ts")).artifacts,
  archive: async () => (await import("./commands/archive.ts")).archive,
  clean: async () => (await import("./commands/clean.ts")).clean,
  "progress note": async () => (await import("./commands/progress-note.ts")).progressNote,
  "progress scan": async () => (await import("./commands/progress-scan.ts")).progressScan,
  templates: async () => (await import("./commands/templates.ts")).templates,
  restore: async () => (await import("./commands/restore.ts")).restore,
  undo: async () => (await import("./commands/restore.ts")).undo,
  fork: async () => (await import("./commands/restore.ts")).fork,
  prune: async () => (await import("./commands/prune.ts")).prune,
  verify: async () => (await import("./commands/verify.ts")).verify,
  export: async () => (await import("./commands/export.ts")).exportCheckpoint,
  import: async () => (await import("./commands/import.ts")).importFile,
  init: async () => (await import("./commands/init.ts")).init,
  doctor: async () => (await import("./commands/doctor.ts")).doctor,
  config: async () => (await import("./commands/config.ts")).config,
  completion: async () => (await import("./commands/completion.ts")).completion,
  help: async () => (await import("./commands/help.ts")).help,
};
