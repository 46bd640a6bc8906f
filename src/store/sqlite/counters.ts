import type { Connection } from "./connection.ts";

/** Numbers that only rise, also over what was deleted, so that none ever means two things. */
export interface Counters {
  /** How many times a sweep has deleted something. */
  readonly sweeps: number;
  /** The highest row of an object, and the highest sequence of a checkpoint, that was ever deleted. */
  readonly last_row: number;
  readonly last_sequence: number;
}

export function readCounters(connection: Connection): Counters {
  return connection.sql("SELECT sweeps, last_row, last_sequence FROM counters").get() as unknown as Counters;
}

/** Keeps a number from being given again. */
export function raiseCounter(connection: Connection, key: keyof Counters, value: number): void {
  connection.sql(`UPDATE counters SET ${key} = max(${key}, ?)`).run(value);
}

export function nextRow(connection: Connection, { last_row }: Counters): number {
  const { last } = connection.sql("SELECT max(id) AS last FROM objects").get() as { last: number | null };
  return Math.max(last ?? 0, last_row) + 1;
}

export function nextSequence(connection: Connection, { last_sequence }: Counters): number {
  const { last } = connection.sql("SELECT max(sequence) AS last FROM checkpoints").get() as {
    last: number | null;
  };
  return Math.max(last ?? 0, last_sequence) + 1;
}
