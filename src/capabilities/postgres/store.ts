import type { Store } from "../../core/store/contract.ts";
import { Bases } from "./store/bases.ts";
import type { PostgresOptions } from "./store/connection-options.ts";
import { CommitNews } from "./store/commit-news.ts";
import { Database } from "./store/database.ts";
import { readIdentity, readLog } from "./store/log.ts";
import { assertVersion } from "./store/migrate.ts";
import { checkpointsIn } from "./store/read-checkpoints.ts";
import { recordsIn } from "./store/records.ts";
import { removeCheckpoints } from "./store/remove-checkpoints.ts";
import { sweep } from "./store/sweep.ts";
import { verify } from "./store/verify.ts";
import { writeCommit } from "./store/write-commit.ts";

export type { PostgresOptions } from "./store/connection-options.ts";
export { migratePostgresStore, type MigrateOptions } from "./store/migrate.ts";

/**
 * Opens a store in a schema of a PostgreSQL database, which many machines can share. `migratePostgresStore`, or
 * `checkpoint store migrate`, makes it first. Needs the package `pg`.
 *
 * @example
 * const store = await openPostgresStore({ url: "postgres://worker@db.example/cairn", schema: "cairn" });
 */
export async function openPostgresStore(options: PostgresOptions): Promise<Store> {
  const database = await Database.open(options);
  const { read } = database;
  const bases = new Bases(database);
  const news = new CommitNews(options, database);
  try {
    await assertVersion(database);
    const [settings] = await read<{ durable: boolean }>(
      "SELECT current_setting('fsync') = 'on' AND current_setting('full_page_writes') = 'on' AS durable",
    );
    return {
      ...checkpointsIn(read),
      ...recordsIn(database),
      durability: settings?.durable ? "durable" : "cache",
      hasTrailChains: true,
      identity: () => readIdentity(read),
      async commit(change) {
        await writeCommit(database, bases, change);
        news.committed();
      },
      readObjects: (ids) => bases.read(ids),
      readLog: (page) => readLog(read, page),
      remove: (removal) => removeCheckpoints(database, removal),
      sweep: (progress) => sweep(database, progress),
      verify: (progress) => verify(database, progress),
      watch: (onNews) => news.watch(onNews),
      async close() {
        await news.close();
        await database.close();
      },
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}
