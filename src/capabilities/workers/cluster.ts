import type { PostgresOptions } from "../postgres/store/connection-options.ts";
import { Database } from "../postgres/store/database.ts";
import { openDispatcher, type Dispatcher } from "./dispatcher.ts";
import { HeadWatcher } from "./head-watcher.ts";
import { Hints } from "../postgres/hints.ts";
import { KnownRuns } from "./known-runs.ts";

/** What the machines that share a store have in common besides the store: rows about work under way, and a queue. */
export interface Cluster {
  readonly database: Database;
  readonly runs: KnownRuns;
  readonly hints: Hints;
  readonly heads: HeadWatcher;
  /** Opened when it is first needed: looking at runs needs no queue. */
  dispatcher(): Promise<Dispatcher>;
  close(): Promise<void>;
}

/** Connects nothing yet. */
export async function openCluster(options: PostgresOptions): Promise<Cluster> {
  const database = await Database.open(options);
  const hints = new Hints(options, database);
  let dispatcher: Promise<Dispatcher> | undefined;
  return {
    database,
    hints,
    heads: new HeadWatcher(database, hints),
    runs: new KnownRuns(),
    async dispatcher() {
      const opening = (dispatcher ??= openDispatcher(database));
      try {
        return await opening;
      } catch (error) {
        // The next call tries again: the server may be back by then.
        if (dispatcher === opening) dispatcher = undefined;
        throw error;
      }
    },
    async close() {
      await hints.close();
      await (await dispatcher?.catch(() => undefined))?.close();
      await database.close();
    },
  };
}
