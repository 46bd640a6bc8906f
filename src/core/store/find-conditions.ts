import type { CheckpointQuery } from "./contract.ts";
import { HIDDEN_PREFIX } from "./hidden-trails.ts";

/** A condition in SQL, with a question mark for its value. */
export type SqlCondition = readonly [sql: string, value: string | number | Uint8Array];

/** What a query asks for, in words that SQLite and PostgreSQL share, except the beginning of an id. */
export function findConditions(query: CheckpointQuery): SqlCondition[] {
  const { trail, createdFrom, createdTo, afterSequence, foreignId, byForeignId } = query;
  const conditions: readonly (readonly [sql: string, value: SqlCondition[1] | undefined])[] = [
    ["substr(name, 1, 1) <> ?", trail === undefined ? HIDDEN_PREFIX : undefined],
    ["name = ?", trail],
    ["created >= ?", createdFrom],
    ["created <= ?", createdTo],
    ["sequence > ?", afterSequence],
    ["foreign_id = ?", foreignId],
    // No text comes before the empty one.
    ["foreign_id >= ?", byForeignId && ""],
    ["foreign_id < ?", byForeignId?.before],
  ];
  return conditions.filter((condition): condition is SqlCondition => condition[1] !== undefined);
}

export function findOrder({ byForeignId, newestFirst }: CheckpointQuery): string {
  return `ORDER BY ${byForeignId ? "foreign_id" : "sequence"} ${newestFirst ? "DESC" : "ASC"}`;
}
