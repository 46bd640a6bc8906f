import { randomBytes, randomUUID } from "node:crypto";
import { CheckpointError } from "../../../core/errors.ts";
import { LOG_VIEWS } from "../../../core/store/log-views.ts";
import { newerFormat } from "../../../core/store/refusals.ts";
import { COMMIT } from "./commit-function.ts";
import type { PostgresOptions } from "./connection-options.ts";
import { Database, type Query } from "./database.ts";
import { FUNCTIONS, UPKEEP_LOCK } from "./functions.ts";
import { MIGRATE } from "./postgres-error.ts";
import { REMOVE } from "./remove-functions.ts";
import { repackDeflated } from "./repack.ts";
import { TABLES } from "./tables.ts";

const VIEWS = LOG_VIEWS.map(
  (view) =>
    `${view.replace("VIEW ", "VIEW @").replace("number", "chain, number").replace("FROM log", "FROM @log")};`,
);

/** Tables with a version of their own in a store's schema. */
export interface Migrations {
  /** What `meta` calls their version. */
  readonly key: string;
  /** Numbered by their place: tables of version n have had the first n. */
  readonly steps: readonly string[];
}

const STORE: Migrations = {
  // Schemas from before the first release counted by "version" or "store_version", and their tables, functions or rows were others.
  key: "store_schema",
  steps: [[TABLES, ...VIEWS, FUNCTIONS, REMOVE, COMMIT].join("\n")],
};

export interface MigrateOptions extends PostgresOptions {
  /** A role that may use the store, but neither change its tables nor its identity. */
  readonly role?: string | undefined;
}

/** Makes a store, or brings an older one and its rows up to date; a second call does nothing. The user must own the schema, or be allowed to create it. */
export async function migratePostgresStore(options: MigrateOptions): Promise<{ from: number; to: number }> {
  const database = await Database.open(options);
  try {
    const migrated = await migrate(database, STORE, options.role);
    await repackDeflated(database);
    return migrated;
  } finally {
    await database.close();
  }
}

/** In one transaction, behind a lock. */
export async function migrate(database: Database, migrations: Migrations, role?: string) {
  const { name, schema } = database;
  const { key, steps } = migrations;
  return database.repeatable("BEGIN", async (query) => {
    await query(`SELECT pg_advisory_xact_lock(${UPKEEP_LOCK})`);
    await assertUtf8(query);
    await query(`
      CREATE SCHEMA IF NOT EXISTS "${schema}";
      CREATE TABLE IF NOT EXISTS @meta(key text PRIMARY KEY, value bytea NOT NULL)`);
    const from = await readVersion(query, name, migrations);
    for (const step of steps.slice(from)) await query(withSettings(step));
    await query(
      `INSERT INTO @meta(key, value) VALUES ('store_id', $1), ('store_key', $2), ($3, $4)
       ON CONFLICT (key) DO UPDATE SET value = excluded.value WHERE excluded.key = $3`,
      [Buffer.from(randomUUID()), randomBytes(32), key, Buffer.from(String(steps.length))],
    );
    if (role !== undefined) await grant(query, schema, role);
    return { from, to: steps.length };
  });
}

/**
 * In functions. A plan that was made while the tables were empty would scan them for ever, so sequential scans are off; then
 * one plan is as good as another, and planning anew at every call, for the number of elements in an array, took half of a commit.
 */
const SETTINGS =
  "SET enable_seqscan = off SET jit = off SET plan_cache_mode = force_generic_plan SET search_path = pg_catalog";

export const withSettings = (sql: string) =>
  sql.replaceAll("LANGUAGE plpgsql", `LANGUAGE plpgsql ${SETTINGS}`);

/** `meta` can only be read: its identity is what trust is given to. */
async function grant(query: Query, schema: string, role: string): Promise<void> {
  const name = `"${role.replaceAll('"', '""')}"`;
  await query(`
    GRANT USAGE ON SCHEMA "${schema}" TO ${name};
    GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA "${schema}" TO ${name};
    REVOKE INSERT, UPDATE, DELETE ON @meta FROM ${name};
    GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA "${schema}" TO ${name};
    GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA "${schema}" TO ${name}`);
}

/** Refuses tables of another version, with the way out. */
export async function assertVersion({ name, read }: Database, migrations = STORE): Promise<void> {
  const [version, known] = [await readVersion(read, name, migrations), migrations.steps.length];
  if (version === known) return;
  throw new CheckpointError("refused", `The store ${name} is of an older version.`, {
    hint: MIGRATE,
    details: { version, known },
  });
}

async function readVersion(query: Query, store: string, { key, steps }: Migrations): Promise<number> {
  const sql = "SELECT convert_from(value, 'UTF8')::int AS version FROM @meta WHERE key = $1";
  const [{ version } = { version: 0 }] = await query<{ version: number }>(sql, [key]);
  if (version > steps.length) throw newerFormat(`The store ${store}`, version, steps.length);
  return version;
}

async function assertUtf8(query: Query): Promise<void> {
  const [row] = await query<{ server_encoding: string }>("SHOW server_encoding");
  if (row?.server_encoding === "UTF8") return;
  const found = `The database has the encoding ${row?.server_encoding}, where UTF8 is needed.`;
  const hint = "createdb --encoding=UTF8 --template=template0 NAME";
  throw new CheckpointError("refused", found, { hint });
}
