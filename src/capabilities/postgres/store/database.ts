import { setTimeout as wait } from "node:timers/promises";
import type { Pool, PoolClient } from "pg";
import { packageMissing } from "../../../core/errors.ts";
import { storeClosed } from "../../../core/store/refusals.ts";
import { connectionOptions, nameOf, schemaOf, type PostgresOptions } from "./connection-options.ts";
import { explain, isConnectionLost } from "./postgres-error.ts";

/** Runs SQL in which `@` stands for the schema. What has a name, and tells its `backend`, is prepared once in a session that is ours alone. */
export type Query = <Row>(text: string, values?: readonly unknown[], name?: string) => Promise<Row[]>;

/** What happens in a transaction; `begun` is what the statement that began it returned. `rawQuery` takes the SQL of another library, as it is. */
type Work<T> = (query: Query, begun: readonly unknown[], rawQuery: Query) => Promise<T>;

const MAX_CONNECTIONS = 8;
const DEFAULT_PATIENCE_MS = 30_000;

/**
 * The connections of a store. Writers may wait for locks, one of them for a builder that reads: so readers have connections
 * of their own. Nothing depends on the session (no settings, and no prepared statements unless it is ours alone), so a pooler may stand between.
 */
export class Database {
  readonly name: string;
  readonly schema: string;
  readonly #writers: Pool;
  readonly #readers: Pool;
  readonly #patienceMs: number;
  readonly #atWork = new Set<Promise<unknown>>();
  /** Connections whose backend is the one that they were told of at the start. With a pooler in between it is another. */
  readonly #direct = new WeakSet<object>();
  #closing: Promise<void> | undefined;

  private constructor(options: PostgresOptions, PoolClass: typeof Pool) {
    this.name = nameOf(options);
    this.schema = schemaOf(options);
    this.#patienceMs = options.patienceMs ?? DEFAULT_PATIENCE_MS;
    const config = connectionOptions(options);
    const pool = () => new PoolClass({ ...config, max: MAX_CONNECTIONS, allowExitOnIdle: true });
    this.#writers = pool();
    this.#readers = pool();
    // A connection that is lost while nobody uses it is replaced when somebody needs one.
    for (const each of [this.#writers, this.#readers]) each.on("error", () => undefined);
  }

  static async open(options: PostgresOptions): Promise<Database> {
    const pg = await import("pg").catch(packageMissing("A PostgreSQL store needs the package pg.", "pg"));
    return new Database(options, pg.default.Pool);
  }

  /** Reads, again and again while the server cannot be reached. */
  readonly read: Query = (text, values) =>
    this.patiently(() => this.#on(this.#readers, (query) => query(text, values)));

  /** One statement, which is its own transaction. Not repeated: a lost answer is the caller's to ask for. */
  readonly write: Query = (...call) => this.#on(this.#writers, (query) => query(...call));

  /** One statement of another library, as it is. */
  readonly rawQuery: Query = (sql, values) => this.#on(this.#writers, (_, rawQuery) => rawQuery(sql, values));

  /** Several statements that happen together, or not at all; all over again when the connection is lost and nobody knows which. */
  async repeatable<T>(begin: string, work: Work<T>): Promise<T> {
    const attempt = async (query: Query, rawQuery: Query) => {
      const begun = await query<unknown>(begin);
      try {
        const result = await work(query, begun, rawQuery);
        await query("COMMIT");
        return result;
      } catch (error) {
        if (!isConnectionLost(error)) await query("ROLLBACK").catch(() => undefined);
        throw error;
      }
    };
    return this.patiently(() => this.#on(this.#writers, attempt));
  }

  /** Tries again, with longer and longer pauses, while the server cannot be reached. */
  async patiently<T>(attempt: (isAgain: boolean) => Promise<T>): Promise<T> {
    const deadline = performance.now() + this.#patienceMs;
    for (let pauseMs = 10, isAgain = false; ; pauseMs = Math.min(pauseMs * 2, 500), isAgain = true) {
      try {
        return await attempt(isAgain);
      } catch (error) {
        if (this.#closing || !isConnectionLost(error) || performance.now() + pauseMs > deadline)
          throw explain(error, this.name);
      }
      await wait(pauseMs);
    }
  }

  close(): Promise<void> {
    return (this.#closing ??= this.#end());
  }

  /** A pool forgets those who still wait for a connection, so they are served first. */
  async #end(): Promise<void> {
    await Promise.allSettled(this.#atWork);
    await Promise.all([this.#writers.end(), this.#readers.end()]);
  }

  async #on<T>(pool: Pool, work: (query: Query, rawQuery: Query) => Promise<T>): Promise<T> {
    if (this.#closing) throw storeClosed();
    const connected = pool.connect().catch((error: unknown) => {
      throw isConnectionLost(error) ? error : explain(error, this.name, true);
    });
    const done = connected.then(async (client) => {
      let isBroken = false;
      const note = () => void (isBroken = true);
      client.on("error", note);
      try {
        const full = (text: string) => text.replaceAll("@", `"${this.schema}".`);
        const query: Query = (text, values, name) => this.#rows(client, full(text), values, name);
        return await work(query, (text, values) => this.#rows(client, text, values));
      } catch (error) {
        isBroken ||= isConnectionLost(error);
        throw error;
      } finally {
        client.off("error", note);
        client.release(isBroken);
      }
    });
    this.#atWork.add(done);
    return done.finally(() => this.#atWork.delete(done));
  }

  async #rows<Row>(client: PoolClient, text: string, values: readonly unknown[] = [], name?: string) {
    const prepared = this.#direct.has(client) ? { text, name } : { text };
    const result = await client.query(values.length === 0 ? text : { ...prepared, values: [...values] });
    // Several statements at once have several results: the last one counts.
    const { rows } = (Array.isArray(result) ? result.at(-1) : result) as { rows: Row[] };
    const answered = name === undefined ? undefined : (rows[0] as { readonly backend: number }).backend;
    // `pg` leaves the number that it was told out of its types.
    if (answered === (client as { readonly processID?: number }).processID) this.#direct.add(client);
    return rows;
  }
}

/** PostgreSQL takes NULL for no limit. */
export const limitOf = (limit = Infinity) => (Number.isFinite(limit) ? Math.max(0, Math.floor(limit)) : null);
