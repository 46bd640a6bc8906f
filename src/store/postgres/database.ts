import { setTimeout as wait } from "node:timers/promises";
import type { Pool, PoolClient } from "pg";

import { CheckpointError } from "../../errors.ts";
import { storeClosed } from "../refusals.ts";
import { connectionOptions, nameOf, schemaOf, type PostgresOptions } from "./connection-options.ts";
import { explain, isConnectionLost } from "./postgres-error.ts";

/** Runs SQL in which `@` stands for the schema. */
export type Query = <Row>(text: string, values?: readonly unknown[]) => Promise<Row[]>;

/** What a transaction does. `foreign` takes the SQL of another library, as it is. */
export type Work<T> = (query: Query, begun: unknown[], foreign: Query) => Promise<T>;

const MAX_WRITERS = 8;
const MAX_READERS = 8;
const DEFAULT_PATIENCE_MS = 30_000;

/**
 * The connections of a store. Writers may wait for locks, one of them for a builder that reads: so readers have connections
 * of their own. Nothing depends on the session (no named statements, no settings), so a pooler may stand between.
 */
export class Database {
  readonly name: string;
  readonly schema: string;
  readonly #writers: Pool;
  readonly #readers: Pool;
  readonly #patienceMs: number;
  readonly #atWork = new Set<Promise<unknown>>();
  #isClosed = false;
  #closing: Promise<void> | undefined;

  private constructor(options: PostgresOptions, PoolClass: typeof Pool) {
    this.name = nameOf(options);
    this.schema = schemaOf(options);
    this.#patienceMs = options.patienceMs ?? DEFAULT_PATIENCE_MS;
    const config = connectionOptions(options);
    const pool = (max: number) => new PoolClass({ ...config, max, allowExitOnIdle: true });
    this.#writers = pool(MAX_WRITERS);
    this.#readers = pool(MAX_READERS);
    // A connection that is lost while nobody uses it is replaced when somebody needs one.
    for (const each of [this.#writers, this.#readers]) each.on("error", () => undefined);
  }

  static async open(options: PostgresOptions): Promise<Database> {
    const pg = await import("pg").catch((cause: unknown) => {
      throw new CheckpointError("missing-dependency", "A PostgreSQL store needs the package pg.", {
        hint: "npm install pg",
        cause,
      });
    });
    return new Database(options, pg.default.Pool);
  }

  /** Reads, again and again while the server cannot be reached. */
  readonly read: Query = (text, values) =>
    this.patiently(() => this.#on(this.#readers, (query) => query(text, values)));

  /** One statement, which is its own transaction. Not repeated: a lost answer is the caller's to ask for. */
  readonly write: Query = (text, values) => this.#on(this.#writers, (query) => query(text, values));

  /** Several statements that happen together. If the connection is lost before COMMIT is sent, nothing has happened. */
  async transaction<T>(begin: string, work: Work<T>): Promise<T> {
    return this.#on(this.#writers, async (query, client) => {
      const begun = await query<unknown>(begin);
      let isCommitting = false;
      try {
        const result = await work(query, begun, (sql, values) => rowsOf(client, sql, values));
        isCommitting = true;
        await query("COMMIT");
        return result;
      } catch (error) {
        if (!isConnectionLost(error)) await query("ROLLBACK").catch(() => undefined);
        else if (isCommitting) throw new CommitInDoubt(error);
        throw error;
      }
    });
  }

  /** The same, for work that may be repeated whole when its end is in doubt. */
  async repeatable<T>(begin: string, work: Work<T>): Promise<T> {
    return this.patiently(() => this.transaction(begin, work));
  }

  /** Tries again, with longer and longer pauses, while the server cannot be reached. */
  async patiently<T>(attempt: (isAgain: boolean) => Promise<T>): Promise<T> {
    const deadline = performance.now() + this.#patienceMs;
    for (let pauseMs = 10, isAgain = false; ; pauseMs = Math.min(pauseMs * 2, 500), isAgain = true) {
      try {
        return await attempt(isAgain);
      } catch (error) {
        const lost = error instanceof CommitInDoubt ? error.cause : error;
        if (this.#isClosed || !isConnectionLost(lost) || performance.now() + pauseMs > deadline)
          throw explain(lost, this.name);
      }
      await wait(pauseMs);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#closing ??= this.#end();
    await this.#closing;
  }

  /** A pool forgets those who still wait for a connection, so they are served first. */
  async #end(): Promise<void> {
    await Promise.allSettled(this.#atWork);
    await Promise.all([this.#writers.end(), this.#readers.end()]);
  }

  async #on<T>(pool: Pool, work: (query: Query, client: PoolClient) => Promise<T>): Promise<T> {
    if (this.#isClosed) throw storeClosed();
    const done = this.#withClient(pool, work);
    this.#atWork.add(done);
    return done.finally(() => this.#atWork.delete(done));
  }

  async #withClient<T>(pool: Pool, work: (query: Query, client: PoolClient) => Promise<T>): Promise<T> {
    const client = await pool.connect();
    let broken: unknown;
    const note = (error: unknown) => {
      broken = error;
    };
    client.on("error", note);
    try {
      return await work(this.#queryOf(client), client);
    } catch (error) {
      if (isConnectionLost(error) || error instanceof CommitInDoubt) broken = error;
      throw error;
    } finally {
      client.off("error", note);
      client.release(broken !== undefined);
    }
  }

  /** One statement of another library, as it is. */
  async foreign<Row>(sql: string, values: readonly unknown[] = []): Promise<Row[]> {
    return this.#on(this.#writers, (_, client) => rowsOf<Row>(client, sql, values));
  }

  #queryOf(client: PoolClient): Query {
    return (text, values) => rowsOf(client, text.replaceAll("@", `"${this.schema}".`), values);
  }
}

async function rowsOf<Row>(client: PoolClient, sql: string, values: readonly unknown[] = []): Promise<Row[]> {
  const result = await (values.length === 0 ? client.query(sql) : client.query(sql, [...values]));
  // Several statements at once have several results: the last one counts.
  const last: unknown = Array.isArray(result) ? result.at(-1) : result;
  return (last as { rows: Row[] }).rows;
}

/** The connection was lost after COMMIT was sent: it may have happened or not. */
export class CommitInDoubt extends Error {
  constructor(cause: unknown) {
    super("The answer to COMMIT was lost.", { cause });
  }
}

/** PostgreSQL takes NULL for no limit. */
export const limitOf = (limit = Infinity) => (Number.isFinite(limit) ? Math.max(0, Math.floor(limit)) : null);

/** A text as SQL, for several statements at once, which take no parameters. */
export function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** PostgreSQL's text cannot hold NUL, and half a surrogate pair would turn into another character. */
export function assertText(...texts: readonly (string | undefined)[]): void {
  for (const text of texts) {
    if (text === undefined || (text.isWellFormed() && !text.includes("\0"))) continue;
    throw new CheckpointError("usage", `${JSON.stringify(text)} cannot be stored: it is not valid text.`, {
      hint: "Leave out NUL characters and unpaired surrogates.",
    });
  }
}
