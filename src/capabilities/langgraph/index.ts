/**
 * A checkpointer for LangGraph on a Cairn store.
 *
 * @packageDocumentation
 */
export { CairnSaver, type CairnSaverOptions } from "./saver.ts";
export type { ThreadPruneOptions, ThreadPruneResult } from "./prune-threads.ts";
