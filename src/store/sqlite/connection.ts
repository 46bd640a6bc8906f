import { randomInt } from "node:crypto";
import { statSync } from "node:fs";
import type { DatabaseSync, StatementSync } from "node:sqlite";

import { CheckpointError } from "../../errors.ts";
import { storeClosed } from "../closed.ts";
import { explain, isBusy, isWriteFault } from "./sqlite-error.ts";
import { WaitingLine } from "./waiting-line.ts";

/**
 * How long the log may grow before it is moved into the main file. Soon, because a commit that makes the log longer takes
 * half as long again as one that writes over an old part of it. A process that commits only once waits for longer: it
 * leaves the work to those that stay, if there are any.
 */
const LONG_LOG_BYTES = 1024 * 1024;
const VERY_LONG_LOG_BYTES = 16 * 1024 * 1024;

const COMMITS_PER_LOOK = 100;

/** A commit is short: a writer that found the lock taken waits for the end of that one first, with pauses this long. */
const SHORT_WAIT_MS = 1;
const GLANCE_MS = 0.02;

/** How long it waits to be called before it looks for itself; longer each time. */
const FIRST_PAUSE_MS = 4;
const LONGEST_PAUSE_MS = 256;

/**
 * For how long it lets another writer go on that commits again and again: to take turns at every commit costs both more
 * than the commit, because what each has read and cached is void then. Not all that wait lose their patience at once.
 */
const PATIENCE_MS = [100, 1500] as const;

/** How long a writer waits for its turn before it gives up. */
const LOCK_DEADLINE_MS = 30_000;

/** To sleep on for less than a millisecond, which no timer can. */
const NEVER_WOKEN = new Int32Array(new SharedArrayBuffer(4));

/**
 * One open database: prepared statements by their text, and the only two ways to run something on it.
 * Statements are synchronous, so a transaction without an await in it cannot be interleaved.
 */
export class Connection {
  readonly path: string;
  readonly #db: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  readonly #line: WaitingLine;
  #queue: Promise<unknown> = Promise.resolve();
  #underway = 0;
  #isDone = true;
  #commits = 0;
  #dataVersion: unknown;
  #otherChanges = 0;
  #state: "open" | "failed" | "closed" = "open";

  constructor(db: DatabaseSync, path: string) {
    this.#db = db;
    this.path = path;
    this.#line = new WaitingLine(path);
  }

  /** A prepared statement; the same text is prepared once. */
  sql(text: string): StatementSync {
    let statement = this.#statements.get(text);
    if (statement === undefined) {
      statement = this.#db.prepare(text);
      this.#statements.set(text, statement);
    }
    return statement;
  }

  /**
   * Rises, inside a write, with whatever may have changed the store since the last commit through this connection: a write
   * of another connection, one that is no commit, one that failed.
   */
  get otherChanges(): number {
    return this.#otherChanges;
  }

  /** Runs reads that must see one moment of the store. */
  read<T>(work: () => T): T {
    this.#assertUsable();
    // Inside a write that waits for its change to be built, the open transaction is that moment.
    const isOwn = !this.#db.isTransaction;
    try {
      if (isOwn) this.sql("BEGIN").run();
      return work();
    } catch (error) {
      throw explain(error, this.path);
    } finally {
      if (isOwn && this.#db.isTransaction) this.#endRead();
    }
  }

  /** A read changes nothing, so its end cannot fail in a way that matters: SQLite only repeats an earlier error. */
  #endRead(): void {
    try {
      this.sql("COMMIT").run();
    } catch {
      if (this.#db.isTransaction) this.#rollback();
    }
  }

  /**
   * Runs a write transaction, alone: one at a time in this process, and under the store's write lock among
   * processes. Resolves once it is durable; if anything fails, nothing of it happened.
   */
  write<T>(work: () => T): Promise<T> {
    return this.commit(() => {
      this.#otherChanges++;
      return work();
    });
  }

  /** The same for a commit, which may have to be prepared under the lock. */
  commit<T>(work: () => T, prepare?: () => Promise<void>): Promise<T> {
    return this.#inTurn(async () => {
      const result = await this.#transact(work, prepare);
      this.#shortenLog();
      this.#callNextWhenDone();
      return result;
    });
  }

  /** One after the other, also when one of them waits for something in the middle. */
  #inTurn<T>(work: () => T | Promise<T>): Promise<T> {
    this.#underway++;
    const turn = this.#queue.then(work);
    const isOver = () => void this.#underway--;
    this.#queue = turn.then(isOver, isOver);
    return turn;
  }

  /** Who commits again at once keeps its turn: to change at every commit costs both more than the commit. */
  #callNextWhenDone(): void {
    if (!this.#isDone) return;
    this.#isDone = false;
    setImmediate(() => {
      this.#isDone = true;
      if (this.#underway === 0) this.#line.callNext();
    });
  }

  async #transact<T>(work: () => T, prepare?: () => Promise<void>): Promise<T> {
    this.#assertUsable();
    try {
      if (!this.#begin() && !this.#beginNext()) await this.#waitAndBegin();
      this.#lookForOthers();
      if (prepare) await prepare();
      const result = work();
      this.sql("COMMIT").run();
      return result;
    } catch (error) {
      this.#otherChanges++;
      if (isWriteFault(error)) this.#state = "failed";
      if (this.#state !== "closed" && this.#db.isTransaction) this.#rollback();
      throw explain(error, this.path);
    }
  }

  #lookForOthers(): void {
    const version = this.#readVersion();
    if (version !== this.#dataVersion) this.#otherChanges++;
    this.#dataVersion = version;
  }

  /**
   * Moves a long log into the main file, now and then. SQLite could do that by itself, but would keep a disk
   * error to itself too. The log keeps its length and is written from its beginning again, which is faster than
   * growing it. What was committed is safe in the log either way, so it stays acknowledged.
   */
  #shortenLog(): void {
    if (this.#commits++ % COMMITS_PER_LOOK !== 0) return;
    try {
      const size = statSync(`${this.path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
      if (size < (this.#commits === 1 ? VERY_LONG_LOG_BYTES : LONG_LOG_BYTES)) return;
      this.#db.exec("PRAGMA wal_checkpoint(PASSIVE)");
    } catch (error) {
      if (isWriteFault(error)) this.#state = "failed";
    }
  }

  /** Takes the write lock; false while another process has it, which is an error after the deadline. */
  #begin(deadline = Infinity): boolean {
    try {
      this.sql("BEGIN IMMEDIATE").run();
      return true;
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error;
      return false;
    }
  }

  /** The same, as soon as the commit that is underway has ended. Holds up the process for no longer than a commit does. */
  #beginNext(): boolean {
    const end = performance.now() + SHORT_WAIT_MS;
    for (let before = this.#readVersion(); performance.now() < end;) {
      Atomics.wait(NEVER_WOKEN, 0, 0, GLANCE_MS);
      const version = this.#readVersion();
      if (version !== before && this.#begin()) return true;
      before = version;
    }
    return this.#begin();
  }

  /**
   * Waits until whoever writes makes a pause, or has had its time, and takes the write lock. Not left to SQLite, whose
   * waiting is unfair among many processes: waits of seconds were measured.
   */
  async #waitAndBegin(): Promise<void> {
    const deadline = performance.now() + LOCK_DEADLINE_MS;
    const endOfPatience = performance.now() + randomInt(...PATIENCE_MS);
    const place = this.#line.enter();
    try {
      let before = this.#readVersion();
      for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(4 * pause, LONGEST_PAUSE_MS)) {
        const isCalled = await place.wait(randomInt(pause, 2 * pause));
        this.#assertUsable();
        const version = this.#readVersion();
        const isOtherAtWork = version !== before && !isCalled;
        before = version;
        if (isOtherAtWork && performance.now() < endOfPatience) continue;
        if (this.#begin(deadline) || this.#beginNext()) return;
      }
    } finally {
      place.leave();
    }
  }

  /** Changes with every commit of another connection. */
  #readVersion(): unknown {
    return this.sql("PRAGMA data_version").get()?.data_version;
  }

  #rollback(): void {
    try {
      this.sql("ROLLBACK").run();
    } catch {
      // A disk that fails a rollback too is not to be trusted: the journal repairs the store at the next open.
      this.#state = "failed";
    }
  }

  /** For upkeep that SQLite does not allow inside a transaction. Gives way when others are at work: it can wait. */
  async maintain(pragma: string): Promise<void> {
    await this.#inTurn(() => {
      this.#assertUsable();
      try {
        this.#db.exec(pragma);
      } catch (error) {
        if (isWriteFault(error)) this.#state = "failed";
        if (!isBusy(error)) throw explain(error, this.path);
      }
    });
  }

  async close(): Promise<void> {
    // What was asked for before is finished; what comes later finds the store closed.
    await this.#inTurn(() => {
      if (this.#state === "closed") return;
      this.#state = "closed";
      this.#statements.clear();
      this.#db.close();
      if (this.#commits > 0) this.#line.callNext();
    });
  }

  #assertUsable(): void {
    if (this.#state === "open") return;
    if (this.#state === "closed") throw storeClosed();
    throw new CheckpointError(
      "failed",
      `The store "${this.path}" had a disk error and takes nothing more through this handle.`,
      {
        hint: "Check the disk, then open the store again: checkpoint doctor",
        details: { path: this.path },
      },
    );
  }
}
