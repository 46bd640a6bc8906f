import { randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";

import type { Connection } from "./connection.ts";
import { isBusy } from "./sqlite-error.ts";

/**
 * For how long a process may commit without a pause, and how long it pauses then, so that another gets the lock. Not
 * after every commit: to change hands costs both more than the commit, because what each has read and cached is void.
 */
const TURN_MS = 250;
const PAUSE_MS = 32;

/**
 * The longest that a writer sleeps before it tries again; up to there, twice as long each time, and by chance. Measured
 * with 16 processes that commit without a pause: with 2 ms they take the processor from whoever commits, and with 250 ms
 * the lock lies idle while all sleep.
 */
const LONGEST_SLEEP_MS = 64;

/** How long a writer waits before it gives up. */
const LOCK_DEADLINE_MS = 30_000;

type SqlRunner = Pick<Connection, "sql">;

/**
 * The lock that lets one process write to a store at a time. It is released when the transaction ends. Waiting is not
 * left to SQLite, which blocks the process meanwhile and lets some of many wait for seconds.
 */
export class WriteLock {
  readonly #database: SqlRunner;
  #endOfTurn = 0;
  #lastUse = 0;

  constructor(database: SqlRunner) {
    this.#database = database;
  }

  /** Begins a transaction that may write, as soon as no other process has one. */
  async take(): Promise<void> {
    const now = elapsedMs();
    if (now - this.#lastUse > PAUSE_MS) this.#endOfTurn = now + TURN_MS;
    else if (now > this.#endOfTurn) {
      await sleep(PAUSE_MS);
      this.#endOfTurn = elapsedMs() + TURN_MS;
    }
    for (let attempt = 0; !this.#begin(now + LOCK_DEADLINE_MS); attempt++) {
      await sleep(randomInt(1, Math.min(2 ** attempt, LONGEST_SLEEP_MS) + 2));
      this.#endOfTurn = elapsedMs() + TURN_MS;
    }
  }

  /** Called when the transaction has ended: one that begins right after belongs to the same turn. */
  release(): void {
    this.#lastUse = elapsedMs();
  }

  /** False while another process has the lock, which is an error after the deadline. */
  #begin(deadline: number): boolean {
    try {
      this.#database.sql("BEGIN IMMEDIATE").run();
      return true;
    } catch (error) {
      if (!isBusy(error) || elapsedMs() > deadline) throw error;
      return false;
    }
  }
}

/** By a clock that nobody sets. Loading `performance` would take a millisecond of each command. */
function elapsedMs(): number {
  return process.uptime() * 1000;
}
