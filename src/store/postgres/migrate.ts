import { createHash, randomBytes, randomUUID } from "node:crypto";

import { CheckpointError } from "../../errors.ts";
import { COMMIT } from "./commit-function.ts";
import { nameOf, schemaOf, type PostgresOptions } from "./connection-options.ts";
import { Database, type Query } from "./database.ts";
import { FUNCTIONS } from "./functions.ts";
import { MIGRATE } from "./postgres-error.ts";
import { TABLES } from "./tables.ts";
import { WORK_FUNCTIONS } from "./work-functions.ts";
import { WORK_TABLES } from "./work-tables.ts";

/** Numbered by their place: a schema of version n has had the first n. */
const MIGRATIONS: readonly string[] = [
  [TABLES, ...FUNCTIONS, COMMIT].join("\n"),
  [WORK_TABLES, WORK_FUNCTIONS].join("\n"),
];

export interface MigrateOptions extends PostgresOptions {
  /** A role that may use the store, but neither change its tables nor its identity. */
  readonly role?: string | undefined;
}

/** Makes a store, or brings an older one up to date; a second call does nothing. The user must own the schema, or be allowed to create it. */
export async function migratePostgresStore(options: MigrateOptions): Promise<{ from: number; to: number }> {
  const database = await Database.open(options);
  try {
    return await database.repeatable("BEGIN", (query) => migrate(query, options));
  } finally {
    await database.close();
  }
}

async function migrate(query: Query, options: MigrateOptions): Promise<{ from: number; to: number }> {
  const schema = schemaOf(options);
  await query("SELECT pg_advisory_xact_lock($1)", [lockNumber(schema) + 1]);
  await assertUtf8(query);
  await query(`CREATE SCHEMA IF NOT EXISTS "${schema}"`);
  const from = await readVersion(query, schema);
  if (from > MIGRATIONS.length) throw newerSchema(nameOf(options), from);
  for (const migration of MIGRATIONS.slice(from))
    await query(migration.replaceAll("#", String(lockNumber(schema))));
  if (from === 0) {
    await query("INSERT INTO @meta(key, value) VALUES ('store_id', $1), ('store_key', $2)", [
      Buffer.from(randomUUID()),
      randomBytes(32),
    ]);
  }
  await query(
    "INSERT INTO @meta(key, value) VALUES ('version', $1) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
    [Buffer.from(String(MIGRATIONS.length))],
  );
  if (options.role !== undefined) await grant(query, schema, options.role);
  return { from, to: MIGRATIONS.length };
}

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

/** Refuses a store that this program does not know, with the way out. */
export async function assertVersion({ name, schema, read }: Database): Promise<void> {
  const version = await readVersion(read, schema);
  if (version > MIGRATIONS.length) throw newerSchema(name, version);
  if (version === MIGRATIONS.length) return;
  const [code, what] =
    version === 0
      ? (["not-found", "There is no store"] as const)
      : (["refused", "Of an older version is the store"] as const);
  throw new CheckpointError(code, `${what} ${name}.`, {
    hint: MIGRATE,
    details: { version, known: MIGRATIONS.length },
  });
}

async function readVersion(query: Query, schema: string): Promise<number> {
  const [table] = await query<{ there: boolean }>("SELECT to_regclass($1) IS NOT NULL AS there", [
    `"${schema}".meta`,
  ]);
  if (!table?.there) return 0;
  const [row] = await query<{ value: Uint8Array }>("SELECT value FROM @meta WHERE key = 'version'");
  return Number(Buffer.from(row?.value ?? []).toString());
}

async function assertUtf8(query: Query): Promise<void> {
  const [row] = await query<{ server_encoding: string }>("SHOW server_encoding");
  if (row?.server_encoding === "UTF8") return;
  throw new CheckpointError(
    "refused",
    `The database has the encoding ${row?.server_encoding}, where UTF8 is needed.`,
    {
      hint: "createdb --encoding=UTF8 --template=template0 NAME",
    },
  );
}

/** The store's lock; the next two numbers are the sweeps' and migrations', and the log's. */
export function lockNumber(schema: string): number {
  return createHash("sha256").update(`cairn ${schema}`).digest().readUIntBE(0, 6) * 8;
}

function newerSchema(name: string, version: number): CheckpointError {
  return new CheckpointError(
    "refused",
    `The store ${name} was written by a newer version of Cairn (schema ${version}; this program knows ${MIGRATIONS.length}).`,
    { hint: "npm install cairn-checkpoint@latest", details: { version, known: MIGRATIONS.length } },
  );
}
