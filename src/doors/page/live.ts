import { storeStateOf, type StoreState } from "../../work/project/store-state.ts";
import type { Store } from "../../core/store/contract.ts";

/** How the store is, and the names of the trails that moved. */
export interface News {
  readonly store: StoreState;
  readonly trails: readonly string[];
}

type Listener = (news: News) => void;

/** How often the store is asked for what is new while there is some, or where a store cannot be watched. */
const LOOK_EVERY_MS = 50;
/** A hint may come before its commit can be seen. */
const AFTER_HINT_MS = 500;
/** How often without any hint: one may be lost. */
const LOOK_ANYWAY_MS = 2000;
/** How often where there is no store, or its server does not answer. */
const LOOK_AGAIN_MS = 500;

/** How long a look may take: a server that is frozen or cut off does not answer, and does not fail either. */
const PATIENCE_MS = 5000;

/** How many commits are read at once; the next look reads on. */
const MOST_AT_ONCE = 200;

/**
 * Follows the commits of a store for all pages together. One reader, because each asks the disk; it looks only while
 * somebody listens. Commits of hidden trails are not told.
 */
export class Live {
  readonly #open: () => Promise<Store>;
  readonly #patienceMs: number;
  readonly #listeners = new Set<Listener>();
  #store: Store | undefined;
  #sequence = 0;
  #isLooking = false;
  #state: StoreState = "live";
  #stopWatching: (() => void) | undefined;
  #lookOften = 0;
  #next: ReturnType<typeof setTimeout> | undefined;

  constructor(open: () => Promise<Store>, { patienceMs = PATIENCE_MS } = {}) {
    this.#open = open;
    this.#patienceMs = patienceMs;
  }

  /** What is there already is not told. A store may also begin later. */
  async start(): Promise<void> {
    try {
      this.#store = await this.#open();
      this.#sequence = (await this.#store.find({ newestFirst: true, limit: 1 }))[0]?.sequence ?? 0;
    } catch (error) {
      this.#state = storeStateOf(error);
      if (this.#state !== "empty") throw error;
    }
  }

  /** How the store was at the last look. */
  get state(): StoreState {
    return this.#state;
  }

  /** Calls `listener` for what is committed, and when the store comes or goes, until the function that it returns is called. */
  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    if (!this.#isLooking) void this.#look();
    this.#isLooking = true;
    return () => {
      this.#listeners.delete(listener);
    };
  }

  async #look(): Promise<void> {
    let isThere = true;
    const late = setTimeout(() => this.#tell({ store: "unreachable", trails: [] }), this.#patienceMs).unref();
    try {
      const trails = await this.#moved();
      this.#tell({ store: this.#sequence > 0 ? "live" : "empty", trails });
    } catch (error) {
      isThere = false;
      this.#watch(undefined);
      this.#tell({ store: storeStateOf(error), trails: [] });
    } finally {
      clearTimeout(late);
    }
    this.#isLooking = this.#listeners.size > 0;
    if (this.#isLooking) this.#lookIn(isThere ? this.#restMs() : LOOK_AGAIN_MS);
    else this.#watch(undefined);
  }

  #restMs(): number {
    const isQuiet = this.#stopWatching !== undefined && performance.now() > this.#lookOften;
    return isQuiet ? LOOK_ANYWAY_MS : LOOK_EVERY_MS;
  }

  #lookIn(ms: number): void {
    this.#next = setTimeout(() => {
      this.#next = undefined;
      void this.#look();
    }, ms).unref();
  }

  /** Looks at once when the store hints that there is something. */
  #watch(store: Store | undefined): void {
    this.#stopWatching?.();
    this.#stopWatching = store?.watch?.(() => {
      const isResting = performance.now() > this.#lookOften;
      this.#lookOften = performance.now() + AFTER_HINT_MS;
      if (!isResting || this.#next === undefined) return;
      clearTimeout(this.#next);
      this.#lookIn(0);
    });
  }

  #tell(news: News): void {
    if (news.trails.length === 0 && news.store === this.#state) return;
    this.#state = news.store;
    for (const listener of this.#listeners) listener(news);
  }

  /** The trails that moved since the last look. */
  async #moved(): Promise<string[]> {
    const store = await this.#open();
    // A store that was replaced counts from the beginning.
    if (store !== this.#store) this.#sequence = 0;
    if (store !== this.#store || this.#stopWatching === undefined) this.#watch(store);
    this.#store = store;
    const found = await store.find({ afterSequence: this.#sequence, limit: MOST_AT_ONCE });
    const newest = found.at(-1);
    if (newest !== undefined) this.#sequence = newest.sequence;
    return [...new Set(found.map(({ trail }) => trail))];
  }
}
