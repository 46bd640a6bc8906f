/**
 * A checkpointer for LangGraph on a Cairn store.
 *
 * @packageDocumentation
 */
export {
  importPostgresThreads,
  importSqliteThreads,
  type ImportedThreads,
  type QueriesPostgres,
} from "./import-threads.ts";
export type { CairnSaverOptions } from "./context.ts";
export { CairnSaver } from "./saver.ts";
export type { ThreadPruneOptions, ThreadPruneResult } from "./prune-threads.ts";
