import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import type { Client } from "pg";

import { connectionOptions, type PostgresOptions } from "./store/connection-options.ts";
import type { Database } from "./store/database.ts";

/** Before it connects again. Meanwhile everybody looks as often as without hints. */
const RETRY_MS = 5000;

/**
 * Tells other processes that there is something to look at: the name of a queue, or the trail of a run. Only a hint, which
 * may be lost: a pooler in transaction mode hands none on. So whoever listens also looks by itself.
 */
export class Hints {
  readonly #options: PostgresOptions;
  readonly #database: Database;
  readonly #channel: string;
  readonly #sender = randomUUID();
  readonly #listeners = new Set<(hint: string) => void>();
  readonly #closed = new AbortController();
  #listening: Promise<void> | undefined;

  /** Each channel has hints of its own kind. */
  constructor(options: PostgresOptions, database: Database, channel = database.schema) {
    this.#options = options;
    this.#database = database;
    this.#channel = channel;
  }

  /** To be called after the commit: inside, it would make commits wait for each other. Synced with nothing, waits for nothing. */
  send(hints: readonly string[]): void {
    if (hints.length === 0) return;
    const sql = `SELECT set_config('synchronous_commit', 'off', true), pg_notify($1, hint) FROM unnest($2::text[]) AS hint`;
    const values = [this.#channel, hints.map((hint) => `${this.#sender} ${hint}`)];
    void this.#database.write(sql, values).catch(() => undefined);
  }

  /** Calls back for the hints of other processes, until the function that it returns is called. One connection for all. */
  listen(onHint: (hint: string) => void): () => void {
    this.#listeners.add(onHint);
    this.#listening ??= this.#listen();
    return () => void this.#listeners.delete(onHint);
  }

  async close(): Promise<void> {
    this.#closed.abort();
    await this.#listening;
  }

  async #listen(): Promise<void> {
    const { signal } = this.#closed;
    while (!signal.aborted) {
      await this.#listenOnce(signal).catch(() => undefined);
      await wait(RETRY_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  /** Until the connection is lost, or this is closed. */
  async #listenOnce(signal: AbortSignal): Promise<void> {
    const { default: pg } = await import("pg");
    signal.throwIfAborted();
    // Its type lacks what its pool uses to let a process end.
    const client = new pg.Client(connectionOptions(this.#options)) as Client &
      Record<"ref" | "unref", () => void>;
    const { promise: over, resolve: end } = Promise.withResolvers<void>();
    client.on("error", () => end());
    client.on("end", () => end());
    signal.addEventListener("abort", () => end());
    client.on("notification", ({ payload = "" }) => this.#hear(payload));
    try {
      await client.connect();
      await client.query(`LISTEN "${this.#channel}"`);
      // Listening keeps no process alive that has nothing else to do; what follows must not end with it.
      client.unref();
      await over;
      client.ref();
    } finally {
      await client.end();
    }
  }

  #hear(payload: string): void {
    const [sender, hint = ""] = payload.split(" ");
    if (sender !== this.#sender) for (const onHint of this.#listeners) onHint(hint);
  }
}
