import { randomInt } from "node:crypto";
import type { StatementSync } from "node:sqlite";
import { setImmediate } from "node:timers";

import { isBusy } from "./sqlite-error.ts";
import { WaitingLine } from "./waiting-line.ts";

/**
 * A commit is short: a writer that found the lock taken glances at it a few times first. For about a millisecond in all,
 * because the system makes each sleep longer.
 */
const GLANCES = 8;
const GLANCE_MS = 0.02;

/**
 * For how long a writer that commits again and again keeps the lock while others wait. To change at every commit costs
 * both more than the commit, because what each has read and cached is void then.
 */
const TURN_MS = 250;

/**
 * How long one waits to be called before it looks for itself, longer each time: who had the lock may have been killed.
 * Without patience, it looks more often.
 */
const FIRST_PAUSE_MS = 4;
const LONGEST_PAUSE_MS = 256;
const LONGEST_IMPATIENT_PAUSE_MS = 64;

/**
 * For how long it trusts to be called while others are at work. After that it takes the lock when it can: too many are
 * waiting, or calls do not reach it. Not all lose their patience at once.
 */
const PATIENCE_MS = [2000, 4000] as const;

/** How long a writer waits for its turn before it gives up. */
const LOCK_DEADLINE_MS = 30_000;

/** To sleep on for less than a millisecond, which no timer can. */
const NEVER_WOKEN = new Int32Array(new SharedArrayBuffer(4));

interface Database {
  readonly path: string;
  sql(text: string): StatementSync;
}

/** The lock that lets one process write to a store at a time. Whoever ends its transaction gives it back. */
export class WriteLock {
  readonly #database: Database;
  readonly #line: WaitingLine;
  #endOfTurn: number | undefined;

  constructor(database: Database) {
    this.#database = database;
    this.#line = new WaitingLine(database.path);
  }

  /** Begins a transaction that may write, when it is this process's turn. */
  async take(): Promise<void> {
    const isTurnOver = this.#endOfTurn !== undefined && performance.now() > this.#endOfTurn;
    if (isTurnOver && this.passOn()) return this.#giveWay();
    // A loop of commits would keep its process from everything else, such as the waiting of another handle.
    if (isTurnOver) await new Promise((resolve) => void setImmediate(resolve));
    if (!this.#begin() && !this.#beginNext()) {
      const isNewcomer = this.#endOfTurn === undefined;
      await this.#waitAndBegin(isNewcomer);
      this.#endOfTurn = undefined;
    }
    this.#endOfTurn ??= performance.now() + TURN_MS;
  }

  /** Ends this process's turn: calls who has waited longest. Returns whether there was anybody. */
  passOn(): boolean {
    this.#endOfTurn = undefined;
    return this.#line.callNext();
  }

  /** Begins after the one that was called. If it was killed, the next commit calls another. */
  async #giveWay(): Promise<void> {
    const before = this.readVersion();
    await this.#waitAndBegin(false);
    const isAnswered = this.readVersion() !== before;
    this.#endOfTurn = performance.now() + (isAnswered ? TURN_MS : 0);
  }

  /** Changes with every commit of another connection. Undefined while one repairs what a killed process left behind. */
  readVersion(): unknown {
    try {
      return this.#database.sql("PRAGMA data_version").get()?.data_version;
    } catch (error) {
      if (!isBusy(error)) throw error;
      return undefined;
    }
  }

  /** False while another process has the lock, which is an error after the deadline. */
  #begin(deadline = Infinity): boolean {
    try {
      this.#database.sql("BEGIN IMMEDIATE").run();
      return true;
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error;
      return false;
    }
  }

  /** Begins as soon as the commit that is underway has ended. Holds up the process for no longer than a commit does. */
  #beginNext(): boolean {
    let before = this.readVersion();
    for (let glance = 0; glance < GLANCES; glance++) {
      Atomics.wait(NEVER_WOKEN, 0, 0, GLANCE_MS);
      const version = this.readVersion();
      if (version !== before && this.#begin()) return true;
      before = version;
    }
    return this.#begin();
  }

  /**
   * Waits until it is called, or finds that nobody writes, and begins. Not left to SQLite, whose waiting is unfair among
   * many processes: waits of seconds were measured.
   */
  async #waitAndBegin(isNewcomer: boolean): Promise<void> {
    const deadline = performance.now() + LOCK_DEADLINE_MS;
    const endOfPatience = performance.now() + randomInt(...PATIENCE_MS);
    const place = this.#line.enter();
    try {
      let before = this.readVersion();
      for (let look = 0; ; look++) {
        // Who comes with one commit, such as a hook, need not wait for the end of a turn: it may push in, once.
        const mayPushIn = isNewcomer && look === 0;
        const isPatient = place.canBeCalled && !mayPushIn && performance.now() < endOfPatience;
        const isCalled = await place.wait(pauseBefore(look, isPatient));
        const version = this.readVersion();
        const isOtherAtWork = version !== before && !isCalled;
        before = version;
        if (isOtherAtWork && isPatient) continue;
        if (this.#begin(deadline) || this.#beginNext()) return;
      }
    } finally {
      place.leave();
    }
  }
}

/** In milliseconds, and by chance, so that not all look at the same time. */
function pauseBefore(look: number, isPatient: boolean): number {
  const pause = Math.min(
    FIRST_PAUSE_MS * 4 ** look,
    isPatient ? LONGEST_PAUSE_MS : LONGEST_IMPATIENT_PAUSE_MS,
  );
  return randomInt(pause, 2 * pause);
}
