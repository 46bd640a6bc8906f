import { isCheckpointError } from "../../core/errors.ts";
import type { ObjectId } from "../../core/objects/object-id.ts";
import type { Store } from "../../core/store/contract.ts";
import type { Cairn } from "./cairn.ts";
import type { CommitNotes } from "../../core/trails/document.ts";
import type { Trail } from "../../core/trails/trail.ts";

/** Returns the next state, which shares what it does not change; the same state when there is nothing to change. */
type StateChange<State> = (state: State) => State;

/** How often a change is tried before it holds up other writers. */
const MAX_TRIES = 5;

/**
 * A trail whose states are never changed in place. The newest is kept in memory, and a commit shares all that it does
 * not change: appending to a long list costs what is appended, neither copying nor comparing the rest.
 */
export class ImmutableTrail<State extends object> {
  readonly #trail: Trail<State>;
  readonly #store: Store;
  readonly #initial: State;
  #known: { readonly head: ObjectId | undefined; readonly state: State } | undefined;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(cairn: Cairn, name: string, initial: State) {
    this.#trail = cairn.trail<State>(name, { initial, recognition: "identity", revives: true });
    this.#store = cairn.store;
    this.#initial = initial;
  }

  /** The newest state, read only if another handle has moved the trail. Undefined before the first commit. */
  async read(): Promise<State | undefined> {
    const { head, state } = await this.#current();
    return head === undefined ? undefined : state;
  }

  /** Commits a change, on top of whatever others committed meanwhile. Durable before this resolves. */
  async update(change: StateChange<State>, notes: CommitNotes = {}): Promise<void> {
    const turn = this.#queue.then(() => this.#update(change, notes));
    this.#queue = turn.catch(() => undefined);
    return turn;
  }

  async #update(change: StateChange<State>, notes: CommitNotes): Promise<void> {
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const { state } = await this.#current();
      const next = change(state);
      if (next === state) return;
      try {
        const { content_hash } = await this.#trail.commit(next, notes);
        this.#known = { head: content_hash, state: next };
        return;
      } catch (error) {
        this.#known = undefined;
        if (!isCheckpointError(error, "conflict")) throw error;
      }
    }
    // Many write at once: under the store's lock no other writer can be quicker.
    await this.#trail.commit((draft) => change(draft), { ...notes, ifChanged: true });
  }

  async #current(): Promise<{ readonly head: ObjectId | undefined; readonly state: State }> {
    const head = await this.#store.head(this.#trail.name);
    if (this.#known === undefined || this.#known.head !== head) {
      const loaded = head === undefined ? undefined : await this.#trail.load();
      this.#known = { head: loaded?.content_hash, state: loaded?.state ?? this.#initial };
    }
    return this.#known;
  }
}
