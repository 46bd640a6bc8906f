import type { Store } from "./contract.ts";
import { Bases } from "./postgres/bases.ts";
import type { PostgresOptions } from "./postgres/connection-options.ts";
import { Database } from "./postgres/database.ts";
import { readIdentity, readLog } from "./postgres/log.ts";
import { assertVersion } from "./postgres/migrate.ts";
import { checkpointsIn } from "./postgres/read-checkpoints.ts";
import { recordsIn } from "./postgres/records.ts";
import { removeCheckpoints } from "./postgres/remove-checkpoints.ts";
import { sweep } from "./postgres/sweep.ts";
import { verify } from "./postgres/verify.ts";
import { writeCommit } from "./postgres/write-commit.ts";

export type { PostgresOptions } from "./postgres/connection-options.ts";
export { migratePostgresStore, type MigrateOptions } from "./postgres/migrate.ts";

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
      commit: (change) => writeCommit(database, bases, change),
      readObjects: (ids) => bases.read(ids),
      readLog: (page) => readLog(read, page),
      remove: (removal) => removeCheckpoints(database, removal),
      sweep: (progress) => sweep(database, progress),
      verify: (progress) => verify(database, progress),
      close: () => database.close(),
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}
