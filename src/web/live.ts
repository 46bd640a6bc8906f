import type { Store } from "../store/contract.ts";

/** Is told the names of the trails that moved. */
type Listener = (trails: readonly string[]) => void;

/** How often the store is asked for what is new. It looks at an index, and reads only if there is something. */
const LOOK_EVERY_MS = 50;

/** How many commits are read at once; the next look reads on. */
const MOST_AT_ONCE = 200;

/**
 * Follows the commits of a store for all pages together. One reader, because each asks the disk; it looks only while
 * somebody listens. Commits of hidden trails are not told.
 */
export class Live {
  readonly #open: () => Promise<Store>;
  readonly #listeners = new Set<Listener>();
  #store: Store | undefined;
  #sequence = 0;
  #isLooking = false;

  constructor(open: () => Promise<Store>) {
    this.#open = open;
  }

  /** What is there already is not told. */
  async start(): Promise<void> {
    this.#store = await this.#open();
    this.#sequence = (await this.#store.find({ newestFirst: true, limit: 1 }))[0]?.sequence ?? 0;
  }

  /** Calls `listener` for what is committed, until the function that it returns is called. */
  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    if (!this.#isLooking) void this.#look();
    this.#isLooking = true;
    return () => {
      this.#listeners.delete(listener);
    };
  }

  async #look(): Promise<void> {
    try {
      await this.#tell();
    } catch {
      // The store may be away for a moment: deleted, replaced, upgraded. The next look tells.
    }
    this.#isLooking = this.#listeners.size > 0;
    if (this.#isLooking) setTimeout(() => void this.#look(), LOOK_EVERY_MS).unref();
  }

  async #tell(): Promise<void> {
    const store = await this.#open();
    // A store that was replaced counts from the beginning.
    if (store !== this.#store) this.#sequence = 0;
    this.#store = store;
    const found = await store.find({ afterSequence: this.#sequence, limit: MOST_AT_ONCE });
    const newest = found.at(-1);
    if (newest === undefined) return;
    this.#sequence = newest.sequence;
    const trails = [...new Set(found.map(({ trail }) => trail))];
    for (const listener of this.#listeners) listener(trails);
  }
}
