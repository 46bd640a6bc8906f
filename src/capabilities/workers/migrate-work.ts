import type { Database } from "../postgres/store/database.ts";
import { assertVersion, migrate, type Migrations } from "../postgres/store/migrate.ts";
import { LIMIT_TABLES } from "./limit-tables.ts";
import { WORK_FUNCTIONS } from "./work-functions.ts";
import { WORK_TABLES } from "./work-tables.ts";

const WORK: Migrations = {
  key: "work_version",
  steps: [[WORK_TABLES, WORK_FUNCTIONS].join("\n"), LIMIT_TABLES],
};

/** Makes the tables that runs need beside the store's, or brings them up to date. Only the owner of the schema can. */
export async function migrateWork(database: Database, role?: string): Promise<void> {
  await migrate(database, WORK, role);
}

export const assertWorkVersion = (database: Database) => assertVersion(database, WORK);
