import { Hints } from "../hints.ts";
import type { PostgresOptions } from "./connection-options.ts";
import type { Database } from "./database.ts";

/** Many commits in a row are told as one: a hint costs a statement. */
const GATHER_MS = 100;

/** Tells those who watch a store, in any process, that there is something new in it. */
export class CommitNews {
  readonly #hints: Hints;
  readonly #watchers = new Set<() => void>();
  #gathering: ReturnType<typeof setTimeout> | undefined;
  #isOwed = false;

  constructor(options: PostgresOptions, database: Database) {
    this.#hints = new Hints(options, database, `${database.schema} commits`);
  }

  /** To be called after each commit. Waits for nothing. */
  committed(): void {
    for (const onNews of this.#watchers) onNews();
    this.#isOwed = true;
    if (this.#gathering !== undefined) return;
    this.#tell();
    this.#gathering = setTimeout(() => {
      this.#gathering = undefined;
      this.#tell();
    }, GATHER_MS).unref();
  }

  watch(onNews: () => void): () => void {
    this.#watchers.add(onNews);
    const stop = this.#hints.listen(onNews);
    return () => {
      this.#watchers.delete(onNews);
      stop();
    };
  }

  async close(): Promise<void> {
    clearTimeout(this.#gathering);
    this.#tell();
    await this.#hints.close();
  }

  #tell(): void {
    if (this.#isOwed) this.#hints.send(["commit"]);
    this.#isOwed = false;
  }
}
