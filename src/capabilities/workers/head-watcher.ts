import type { Database } from "../postgres/store/database.ts";
import type { Hints } from "../postgres/hints.ts";
import { Pause } from "./pause.ts";

/** How often it looks without a hint. */
const LOOK_MS = 250;

interface Waiting {
  readonly trail: string;
  readonly known: string | undefined;
  readonly resolve: (head: string | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/** Notices when trails move. However many a process watches, one loop looks, and asks for all of them in one statement. */
export class HeadWatcher {
  readonly #database: Database;
  readonly #hints: Hints;
  readonly #waiting = new Set<Waiting>();
  readonly #pause = new Pause();
  #isLooking = false;

  constructor(database: Database, hints: Hints) {
    this.#database = database;
    this.#hints = hints;
  }

  /** The head of a trail once it is not `known` any more; `known` when the signal comes first. Rejects when the store cannot be reached. */
  async next(trail: string, known: string | undefined, signal?: AbortSignal): Promise<string | undefined> {
    if (signal?.aborted) return known;
    const { promise, resolve, reject } = Promise.withResolvers<string | undefined>();
    const waiting = { trail, known, resolve, reject };
    const stop = () => resolve(known);
    signal?.addEventListener("abort", stop);
    this.#waiting.add(waiting);
    if (this.#isLooking) this.#pause.end();
    else void this.#look();
    try {
      return await promise;
    } finally {
      this.#waiting.delete(waiting);
      signal?.removeEventListener("abort", stop);
      if (this.#waiting.size === 0) this.#pause.end();
    }
  }

  /** As long as somebody waits. */
  async #look(): Promise<void> {
    this.#isLooking = true;
    const isWatched = (hint: string) => [...this.#waiting].some(({ trail }) => trail === hint);
    const stopListening = this.#hints.listen((hint) => isWatched(hint) && this.#pause.end());
    while (this.#waiting.size > 0) {
      const asked = [...this.#waiting];
      try {
        const heads = await this.#heads([...new Set(asked.map(({ trail }) => trail))]);
        for (const { trail, known, resolve } of asked)
          if (heads.get(trail) !== known) resolve(heads.get(trail));
      } catch (error) {
        for (const { reject } of asked) reject(error);
      }
      await this.#pause.last(LOOK_MS);
    }
    stopListening();
    this.#isLooking = false;
  }

  async #heads(trails: readonly string[]): Promise<Map<string, string>> {
    const rows = await this.#database.read<{ name: string; head: string }>(
      "SELECT name, encode(head, 'hex') AS head FROM @trails WHERE name = ANY($1) AND head IS NOT NULL",
      [trails],
    );
    return new Map(rows.map(({ name, head }) => [name, head]));
  }
}
