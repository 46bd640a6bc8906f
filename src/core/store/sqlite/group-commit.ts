import { storeClosed } from "../refusals.ts";
import type { BuildCommit, Commit } from "../contract.ts";
import type { Connection } from "./connection.ts";
import { KnownObjects } from "./known-objects.ts";
import type { Newest } from "./mark.ts";
import { readHead } from "./trail-rows.ts";
import { isConstraint, isSqliteError } from "./sqlite-error.ts";
import { packCommit, writeCommit, type PackedCommit } from "./write-commit.ts";

/** How many commits share a sync at most, so that nobody else waits for the lock for long. */
const MAX_GROUP = 64;

interface Waiting {
  readonly change: Commit | BuildCommit;
  /** Undefined when there is nothing to change. */
  commit: Commit | undefined;
  packed: PackedCommit | undefined;
  error?: unknown;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Lets commits that are asked for at the same time share one transaction, and so one sync: each in a savepoint, so that
 * one that is refused takes nothing with it. 50 trails at once get several times the commits of one after the other.
 */
export class GroupCommit {
  readonly #connection: Connection;
  readonly #known: KnownObjects;
  readonly #waiting: Waiting[] = [];
  #work: Promise<void> | undefined;
  #isClosed = false;

  constructor(connection: Connection) {
    this.#connection = connection;
    this.#known = new KnownObjects(connection);
  }

  commit(change: Commit | BuildCommit): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed) throw storeClosed();
      const commit = "build" in change ? change.prepared : change;
      // Compressed before the lock is taken, because that takes the most time.
      const packed = commit && packCommit(this.#connection, commit, this.#known);
      this.#waiting.push({ change, commit, packed, resolve, reject });
      this.#work ??= this.#commitAll();
    });
  }

  /** Refuses more, and waits for what was asked for before. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#work;
  }

  async #commitAll(): Promise<void> {
    while (this.#waiting.length > 0) await this.#commitGroup();
    this.#work = undefined;
  }

  async #commitGroup(): Promise<void> {
    const first = this.#waiting[0] as Waiting;
    const group = [first];
    const { change } = first;
    try {
      await this.#connection.commit(
        () => this.#writeGroup(group),
        // Runs before anything is written, so that a builder that reads sees only what is committed.
        "build" in change ? () => this.#rebuild(first, change) : undefined,
      );
    } catch (error) {
      // What was remembered on the way was rolled back.
      this.#known.forget();
      for (const waiting of group) waiting.error ??= error;
    }
    this.#waiting.splice(0, group.length);
    for (const { error, resolve, reject } of group) {
      if (error === undefined) resolve();
      else reject(error);
    }
  }

  #fits({ change, commit }: Waiting): boolean {
    if (!("build" in change)) return true;
    return commit?.head !== undefined && commit.head.from === readHead(this.#connection, change.trail);
  }

  async #rebuild(waiting: Waiting, change: BuildCommit): Promise<void> {
    if (this.#connection.read(() => this.#fits(waiting))) return;
    const head = this.#connection.read(() => readHead(this.#connection, change.trail));
    waiting.commit = await change.build(head);
    waiting.packed = waiting.commit && packCommit(this.#connection, waiting.commit, this.#known);
  }

  /** Writes the first, and those behind it until one needs rebuilding, which is asynchronous. Returns the newest checkpoint. */
  #writeGroup(group: Waiting[]): Newest | undefined {
    const first = group[0] as Waiting;
    // Alone it needs no savepoint, for which SQLite copies every page that is changed: what refuses it ends the transaction.
    if (this.#waiting.length === 1) return this.#write(first);
    let newest = this.#writeApart(first);
    for (const next of this.#waiting.slice(1, MAX_GROUP)) {
      if (!this.#fits(next)) break;
      group.push(next);
      newest = this.#writeApart(next) ?? newest;
    }
    return newest;
  }

  #write({ commit, packed }: Waiting): Newest | undefined {
    return commit && packed && writeCommit(this.#connection, commit, packed, this.#known);
  }

  #writeApart(waiting: Waiting): Newest | undefined {
    let newest: Newest | undefined;
    this.#connection.sql("SAVEPOINT one").run();
    try {
      newest = this.#write(waiting);
    } catch (error) {
      // What SQLite reports, such as a full disk, concerns all; all else only the change that it was thrown for.
      if (isSqliteError(error) && !isConstraint(error)) throw error;
      this.#connection.sql("ROLLBACK TO one").run();
      this.#known.forget();
      waiting.error = error;
    }
    this.#connection.sql("RELEASE one").run();
    return newest;
  }
}
