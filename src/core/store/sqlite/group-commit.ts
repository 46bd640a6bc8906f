import { storeClosed } from "../refusals.ts";
import type { BuildCommit, Commit, Store } from "../contract.ts";
import type { Connection } from "./connection.ts";
import { KnownObjects } from "./known-objects.ts";
import type { Newest } from "./mark.ts";
import { ownerOf, writeRecords } from "./records.ts";
import { readHead } from "./trail-rows.ts";
import { isConstraint, isSqliteError } from "./sqlite-error.ts";
import { packCommit, writeCommit } from "./write-commit.ts";

/** How many writes share a sync at most, so that nobody else waits for the lock for long. */
const MAX_GROUP = 64;

/** What is to be written, and what must be true for it. */
interface Write {
  /** Writes inside the transaction. Returns the checkpoint that it adds, if any. */
  readonly write: () => Newest | undefined;
  /** Whether it can be written as it is. Absent: always. */
  readonly fits?: () => boolean;
  /** Builds it anew, under the lock, if it does not fit. */
  readonly rebuild?: () => Promise<void>;
}

interface Waiting extends Write {
  error?: unknown;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Lets commits and records that are asked for at the same time share one transaction, and so one sync, in the order in which
 * they were asked for: each in a savepoint, so that one that is refused takes nothing with it. 50 trails at once get several
 * times the commits of one after the other.
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
    return this.#inGroup(() =>
      "build" in change ? this.#builtCommit(change) : this.#finishedCommit(change),
    );
  }

  attach: Store["attach"] = (to, records, { ifAbsent = false } = {}) =>
    this.#inGroup(() => ({
      write: () => {
        writeRecords(this.#connection, ownerOf(this.#connection, to), records, ifAbsent);
        return undefined;
      },
    }));

  /** Refuses more, and waits for what was asked for before. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#work;
  }

  #inGroup(prepare: () => Write): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed) throw storeClosed();
      this.#waiting.push({ ...prepare(), resolve, reject });
      this.#work ??= this.#writeAll();
    });
  }

  #finishedCommit(commit: Commit): Write {
    // Compressed before the lock is taken, because that takes the most time.
    const packed = packCommit(this.#connection, commit, this.#known);
    return { write: () => writeCommit(this.#connection, commit, packed, this.#known) };
  }

  #builtCommit({ trail, prepared, build }: BuildCommit): Write {
    const head = () => readHead(this.#connection, trail);
    let commit = prepared;
    let finished = commit && this.#finishedCommit(commit);
    const fits = () => commit?.head !== undefined && commit.head.from === head();
    return {
      fits,
      rebuild: async () => {
        if (this.#connection.read(fits)) return;
        // Undefined when there is nothing to change.
        commit = await build(this.#connection.read(head));
        finished = commit && this.#finishedCommit(commit);
      },
      write: () => finished?.write(),
    };
  }

  async #writeAll(): Promise<void> {
    while (this.#waiting.length > 0) await this.#writeGroup();
    this.#work = undefined;
  }

  async #writeGroup(): Promise<void> {
    const first = this.#waiting[0] as Waiting;
    const group = [first];
    try {
      // Rebuilt before anything is written, so that a builder that reads sees only what is committed.
      await this.#connection.commit(() => this.#fillGroup(group), first.rebuild);
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

  /** Writes the first, and those behind it until one needs rebuilding, which is asynchronous. Returns the newest checkpoint. */
  #fillGroup(group: Waiting[]): Newest | undefined {
    const first = group[0] as Waiting;
    // Alone it needs no savepoint, for which SQLite copies every page that is changed: what refuses it ends the transaction.
    if (this.#waiting.length === 1) return first.write();
    let newest = this.#writeApart(first);
    for (const next of this.#waiting.slice(1, MAX_GROUP)) {
      if (next.fits?.() === false) break;
      group.push(next);
      newest = this.#writeApart(next) ?? newest;
    }
    return newest;
  }

  #writeApart(waiting: Waiting): Newest | undefined {
    let newest: Newest | undefined;
    this.#connection.sql("SAVEPOINT one").run();
    try {
      newest = waiting.write();
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
