import type { Connection } from "./connection.ts";

/** Numbers that only rise, also over what was deleted, so that none ever means two things. */
export interface Counters {
  /** How many times a sweep has deleted something. */
  readonly sweeps: number;
  /** The highest row of an object, and the highest sequence of a checkpoint, that was ever given. */
  readonly last_row: number;
  readonly last_sequence: number;
  /** Whether any checkpoint was ever removed. */
  readonly has_tombstones: number;
}

export function readCounters(connection: Connection): Counters {
  return connection
    .sql(
      `SELECT sweeps, max(last_row, ifnull((SELECT max(id) FROM objects), 0)) AS last_row,
              max(last_sequence, ifnull((SELECT max(sequence) FROM checkpoints), 0)) AS last_sequence,
              EXISTS (SELECT 1 FROM tombstones) AS has_tombstones
       FROM counters`,
    )
    .get() as unknown as Counters;
}

/** Keeps a number from being given again after what has it is deleted. */
export function raiseCounter(connection: Connection, key: "last_row" | "last_sequence", value: number): void {
  connection.sql(`UPDATE counters SET ${key} = max(${key}, ?)`).run(value);
}
