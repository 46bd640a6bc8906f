import { existsSync } from "node:fs";
import type { DatabaseSync, StatementSync } from "node:sqlite";

import { isCheckpointError } from "../../errors.ts";
import { storeClosed } from "../refusals.ts";
import { diskFailed, explain, isBusy, isFull, isWriteFault, storeLost } from "./sqlite-error.ts";
import { closeBesideLog, LogReach } from "./log-reach.ts";
import type { Mark, Newest } from "./mark.ts";
import { sizeOf } from "../private-files.ts";
import type { StoreFiles } from "../store-files.ts";
import { WriteLock } from "./write-lock.ts";

/**
 * How long the log may grow before it is moved into the main file. Soon, because a commit that makes the log longer takes
 * half as long again as one that writes over an old part of it. A process that commits only once waits for longer: it
 * leaves the work to those that stay, if there are any.
 */
const LONG_LOG_BYTES = 1024 * 1024;
const VERY_LONG_LOG_BYTES = 16 * 1024 * 1024;

const COMMITS_PER_LOOK = 100;

/** How SQL says that there is no limit. */
export const sqlLimit = (limit = Infinity) => (Number.isFinite(limit) ? limit : -1);

/**
 * One open database: prepared statements by their text, and the only two ways to run something on it.
 * Statements are synchronous, so a transaction without an await in it cannot be interleaved.
 */
export class Connection {
  readonly path: string;
  readonly #db: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  readonly #lock: WriteLock | undefined;
  #queue: Promise<unknown> = Promise.resolve();
  #commits = 0;
  #state: "open" | "failed" | "closed" = "open";
  readonly #files: StoreFiles | undefined;
  readonly #mark: Mark | undefined;
  readonly #log: LogReach | undefined;
  #lostFile: string | undefined;

  /** @param written For a handle that writes to files: what it opened, and what tells whether commits were lost. */
  constructor(db: DatabaseSync, path: string, written?: { readonly files: StoreFiles; readonly mark: Mark }) {
    this.#db = db;
    this.path = path;
    this.#files = written?.files;
    this.#mark = written?.mark;
    this.#log = written && new LogReach(path);
    this.#lock = written && new WriteLock(this);
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

  /** Runs reads that must see one moment of the store. */
  read<T>(work: () => T): T {
    this.#assertUsable();
    // Inside a write that waits for its change to be built, the open transaction is that moment.
    const isOwn = !this.#db.isTransaction;
    try {
      if (isOwn) this.sql("BEGIN").run();
      return work();
    } catch (error) {
      if (isOwn) this.#endRead();
      throw this.#explain(error);
    } finally {
      if (isOwn) this.#endRead();
    }
  }

  /** A read changes nothing, so its end cannot fail in a way that matters: SQLite only repeats an earlier error. */
  #endRead(): void {
    if (!this.#db.isOpen || !this.#db.isTransaction) return;
    try {
      this.sql("COMMIT").run();
    } catch {
      if (this.#db.isTransaction) this.#rollback();
    }
  }

  /**
   * Runs a write transaction, alone: one at a time in this process, and under the store's write lock among
   * processes. Resolves once it is durable in files that are still in their place. If it rejects, nothing of it counts;
   * only after a failed sync or a lost file it may turn out to be there.
   */
  write<T>(work: () => T): Promise<T> {
    return this.#inTurn(() => this.#transact(work));
  }

  /**
   * Like `write`, for what adds checkpoints and returns the newest of them, which is then marked. What must be prepared
   * under the lock may be awaited.
   */
  commit(work: () => Newest | undefined, prepare?: () => Promise<void>): Promise<void> {
    return this.#inTurn(async () => {
      const newest = await this.#transact(work, prepare);
      if (newest) this.#mark?.write(newest);
    });
  }

  /** One after the other, also when one of them waits for something in the middle. */
  #inTurn<T>(work: () => T | Promise<T>): Promise<T> {
    const turn = this.#queue.then(work);
    this.#queue = turn.catch(() => undefined);
    return turn;
  }

  async #transact<T>(work: () => T, prepare?: () => Promise<void>): Promise<T> {
    this.#assertUsable();
    try {
      if (this.#lock) await this.#lock.take();
      else this.sql("BEGIN").run();
      // A read may have met a disk error while this one waited.
      this.#assertUsable();
      this.#assertNothingLost();
      if (prepare) await prepare();
      const result = work();
      this.sql("COMMIT").run();
      this.#assertInPlace();
      this.#assertLogWhole();
      this.#shortenLog();
      return result;
    } catch (error) {
      if (isWriteFault(error)) this.#state = "failed";
      if (this.#db.isOpen && this.#db.isTransaction) this.#rollback();
      throw this.#explain(error);
    } finally {
      this.#lock?.release();
    }
  }

  /** Under the lock, where nobody can commit between the mark and what it is compared with. */
  #assertNothingLost(): void {
    const marked = this.#mark?.read();
    if (this.#mark === undefined || this.#mark.isKnown(marked)) return;
    // Else it may be the mark of another store that replaced this one.
    this.#assertInPlace();
    this.#mark.assertAgrees(this, marked);
  }

  /** Before anything is called saved: what was written into a deleted file is out of everybody's reach. */
  #assertInPlace(): void {
    if (this.#files === undefined || this.#files.areUntouched) return;
    // Opened again when it is needed: it may have been deleted or replaced too.
    this.#mark?.close();
    this.#lostFile = this.#files.findLost();
    if (this.#lostFile === undefined) return;
    // If there is no new log yet, closing saves what is in the old one: SQLite moves it into the main file.
    if (!existsSync(this.#lostFile)) this.#closeDatabase();
    throw storeLost(this.path, this.#lostFile);
  }

  /** Before anything is called saved, and before the log is moved into the main file: a gap in it would become garbage there. */
  #assertLogWhole(): void {
    if (this.#isLogWhole()) return;
    this.#lostFile = `${this.path}-wal`;
    this.#closeDatabase();
    throw storeLost(this.path, this.#lostFile);
  }

  #isLogWhole(): boolean {
    const frames = () => (this.sql("PRAGMA wal_checkpoint(NOOP)").get() as { log: number }).log;
    return this.#log === undefined || this.#log.isWhole(frames);
  }

  /** SQLite takes the end of a log that was truncated for an error of the disk. Inside a transaction it cannot be asked. */
  #explain(error: unknown): unknown {
    try {
      if (isWriteFault(error) && this.#db.isOpen && !this.#db.isTransaction) this.#assertLogWhole();
    } catch (found) {
      if (isCheckpointError(found)) return found;
    }
    return explain(error, this.path);
  }

  /**
   * Moves a long log into the main file, now and then. SQLite could do that by itself, but would keep a disk
   * error to itself too. The log keeps its length and is written from its beginning again, which is faster than
   * growing it. What was committed is safe in the log either way, so it stays acknowledged.
   */
  #shortenLog(): void {
    if (this.#commits++ % COMMITS_PER_LOOK !== 0) return;
    try {
      if (sizeOf(`${this.path}-wal`) < (this.#commits === 1 ? VERY_LONG_LOG_BYTES : LONG_LOG_BYTES)) return;
      this.#db.exec("PRAGMA wal_checkpoint(PASSIVE)");
    } catch (error) {
      if (isWriteFault(error)) this.#state = "failed";
    }
  }

  #rollback(): void {
    try {
      this.sql("ROLLBACK").run();
    } catch {
      // A disk that fails a rollback too cannot be trusted: the journal repairs the store at the next open.
      this.#state = "failed";
    }
  }

  /** For upkeep that SQLite does not allow inside a transaction. Skipped when the store is busy or the disk is full. */
  async maintain(pragma: string): Promise<void> {
    await this.#inTurn(() => {
      this.#assertUsable();
      this.#assertLogWhole();
      try {
        this.#db.exec(pragma);
      } catch (error) {
        if (isWriteFault(error)) this.#state = "failed";
        if (!isBusy(error) && !isFull(error)) throw explain(error, this.path);
      }
    });
  }

  async close(): Promise<void> {
    // What was asked for before is finished; what comes later finds the store closed.
    await this.#inTurn(() => {
      if (this.#state === "closed") return;
      this.#state = "closed";
      this.#closeDatabase();
    });
  }

  #closeDatabase(): void {
    if (!this.#db.isOpen) return;
    const isWhole = this.#isLogWhole();
    this.#statements.clear();
    this.#mark?.close();
    this.#log?.close();
    if (isWhole) this.#db.close();
    else closeBesideLog(this.#db, this.path);
  }

  #assertUsable(): void {
    if (this.#state === "closed") throw storeClosed();
    if (this.#lostFile !== undefined) throw storeLost(this.path, this.#lostFile);
    if (this.#state === "failed") throw diskFailed(this.path);
  }
}
