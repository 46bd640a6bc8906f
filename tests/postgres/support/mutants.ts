import pg from "pg";

import { COMMIT } from "../../../src/capabilities/postgres/store/commit-function.ts";
import { FUNCTIONS, LOG_LOCK } from "../../../src/capabilities/postgres/store/functions.ts";
import { withSettings } from "../../../src/capabilities/postgres/store/migrate.ts";
import { REMOVE } from "../../../src/capabilities/postgres/store/remove-functions.ts";

type Change = readonly [from: string, to: string];

/** Each weakens one lock or one order of the store. All but the stress topic of the suite may pass. */
export const MUTANTS: Readonly<Record<string, readonly Change[]>> = {
  "sweeps share the lock with commits": [
    [
      "IF p_alone THEN PERFORM pg_advisory_xact_lock(",
      "IF p_alone THEN PERFORM pg_advisory_xact_lock_shared(",
    ],
  ],
  "a sweep reads its numbers without the lock": [
    ["PERFORM @enter(true);\n    SELECT (b.last_value", "SELECT (b.last_value"],
  ],
  "a sweep deletes in any order": [["ORDER BY objects.number DESC", "ORDER BY objects.id"]],
  "a commit does not lock its trail": [
    [
      "SELECT * INTO t FROM @trails WHERE name = p_trail FOR UPDATE;",
      "SELECT * INTO t FROM @trails WHERE name = p_trail;",
    ],
    [" FOR UPDATE SKIP LOCKED;", ";"],
  ],
  "objects are inserted in any order": [
    ["AS brought(id, base, data, place) ORDER BY id", "AS brought(id, base, data, place) ORDER BY random()"],
  ],
};

/** Each weakens what entries of the log wait for. The log topic of the suite must notice. */
export const LOG_MUTANTS: Readonly<Record<string, readonly Change[]>> = {
  "entries of a trail do not wait for the store's chain": [
    [`PERFORM pg_advisory_xact_lock_shared(${LOG_LOCK});`, ""],
  ],
  "entries of the store's chain do not wait for those of trails": [
    [`PERFORM pg_advisory_xact_lock(${LOG_LOCK});`, "NULL;"],
  ],
  "entries of a trail follow whatever they say": [["IF v_number IS DISTINCT FROM p_log_after", "IF false"]],
  "a hash does not cover what an entry follows": [["p_log_after || E'\\n', ", ""]],
  "a chain can be given to another trail": [["' ' || nullif(v_chain, '')", "''"]],
};

/** The functions that a mutant changes. Each of its changes must find its place. */
export function mutantOf(changes: readonly Change[]): string[] {
  const texts = [FUNCTIONS, REMOVE, COMMIT];
  for (const [from] of changes)
    if (!texts.some((text) => text.includes(from))) throw new Error(`The mutant does not find: ${from}`);
  const mutated = texts.map((text) => changes.reduce((sql, [from, to]) => sql.replaceAll(from, to), text));
  return mutated.filter((text, at) => text !== texts[at]);
}

/** Replaces the real functions of a schema with a mutant's. */
export async function mutate(url: string, schema: string, changed: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  for (const text of changed) {
    const sql = text.replaceAll("CREATE FUNCTION", "CREATE OR REPLACE FUNCTION");
    await client.query(withSettings(sql).replaceAll("@", `"${schema}".`));
  }
  await client.end();
}
