import { isCheckpointError } from "../errors.ts";
import { decode } from "../objects/decode.ts";
import { encode, recall, recallShared, type Memory } from "../objects/encode.ts";
import type { ObjectId } from "../objects/object-id.ts";
import { isMissingObject, readChecked } from "../objects/read-tree.ts";
import { remember } from "../objects/remember.ts";
import type { Commit } from "../store/contract.ts";
import { headMoved, isStaleReference } from "../store/refusals.ts";
import {
  readCheckpoint,
  writeCheckpoint,
  type CheckpointInfo,
  type CommitOptions,
  type Committed,
  type UnloadedCheckpoint,
} from "./document.ts";
import { findStoredHead } from "./find-checkpoint.ts";
import { asynchronousUpdater, invalidDate, notAnObject, returnedPart } from "./trail-errors.ts";
import type { PendingCommit, TrailContext, TrailOptions, Updater } from "./trail-options.ts";

interface WriterOptions<State> extends TrailOptions<State>, TrailContext {
  readonly trail: string;
}

/** Sweeps that may get in the way of one commit before something else must be wrong. */
const MAX_STALE = 3;

interface BuiltCommit {
  /** Undefined when the head is left alone. */
  readonly commit: Commit | undefined;
  /** The head afterwards. */
  readonly head: UnloadedCheckpoint;
  readonly memory: Memory;
}

interface Beneath {
  readonly parent?: CheckpointInfo | undefined;
  readonly root?: ObjectId;
  readonly base?: Memory;
}

/** Turns changes of one trail into commits, one after the other. Remembers the last state, so each costs what changed. */
export class TrailWriter<State extends object> {
  readonly #options: WriterOptions<State>;
  /** The head that this handle last saw: what a whole new state is meant to replace. */
  #seen: UnloadedCheckpoint | undefined;
  #memory: Memory | undefined;
  /** Whether the last change found the head where this handle had left it. */
  #isAlone = true;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(options: WriterOptions<State>) {
    this.#options = options;
  }

  commit(pending: PendingCommit<State>): Promise<Committed> {
    const turn = this.#queue.then(() => this.#commit(pending));
    this.#queue = turn.catch(() => undefined);
    this.#options.underway(this.#queue);
    return turn;
  }

  /** The newest checkpoint of the trail; undefined when there is none yet. */
  async head(): Promise<UnloadedCheckpoint | undefined> {
    const { store, trail } = this.#options;
    const id = await store.head(trail);
    return id === undefined ? undefined : this.#readStored(id);
  }

  /**
   * Loads the state of a head that the caller has seen from then on, so that a whole state may replace it. Where states
   * are recognised by identity, what was read is remembered: the next commit neither reads nor compares it again.
   */
  async load(head: UnloadedCheckpoint): Promise<State> {
    const isIdentity = this.#options.recognition === "identity";
    const state = isIdentity
      ? recallShared(await this.#remember(head.root))
      : await decode(head.root, this.#read);
    this.#seen = head;
    return state as State;
  }

  async #commit(pending: PendingCommit<State>): Promise<Committed> {
    for (let stale = 0; ; stale++) {
      try {
        // A whole state replaces what this handle last saw; an updater goes on top of whatever is there.
        const isWhole = typeof pending.change !== "function";
        const on = pending.on ?? (isWhole ? { head: this.#seen?.info.content_hash } : undefined);
        const built = await (on ? this.#commitOn(on.head, pending) : this.#apply(pending));
        const { commit, head, memory } = built;
        this.#memory = memory;
        this.#seen = head;
        return commit ? head.info : { ...head.info, unchanged: true };
      } catch (error) {
        const isOvertaken = isStaleReference(error) || (await this.#hasMovedOn(error));
        if (!isOvertaken || stale === MAX_STALE) throw error;
        this.#memory = undefined;
      }
    }
  }

  /** Applies a change to the head. If another writer was quicker, again, under the store's lock, where it cannot lose. */
  async #apply(pending: PendingCommit<State>): Promise<BuiltCommit> {
    const { store, trail } = this.#options;
    const seen = this.#seen?.info.content_hash;
    let built = await this.#buildOnSeen(pending);
    if (!built) {
      const head = await store.head(trail);
      this.#isAlone = head === seen;
      built = await this.#build(pending, head);
    }
    const build = async (head: ObjectId | undefined) => {
      this.#isAlone = head === seen;
      built = await this.#build(pending, head);
      return built.commit;
    };
    if (built.commit) await store.commit({ trail, prepared: built.commit, build });
    return built;
  }

  /**
   * Applies a change to the head that this handle last saw, which saves asking for it: half of the round trips where
   * the store is on a server. The commit tells if that was wrong. Undefined unless there is something to commit: that a
   * change fails, or changes nothing, is only true of the real head, and there it is told.
   */
  async #buildOnSeen(pending: PendingCommit<State>): Promise<BuiltCommit | undefined> {
    if (!this.#seen || !this.#isAlone) return undefined;
    const built = await this.#build(pending, this.#seen.info.content_hash).catch(() => undefined);
    return built?.commit && built;
  }

  /** Commits on top of one certain head, or conflicts. */
  async #commitOn(head: ObjectId | undefined, pending: PendingCommit<State>): Promise<BuiltCommit> {
    const { store, trail } = this.#options;
    const built = await this.#build(pending, head);
    if (built.commit) await store.commit(built.commit);
    else {
      const actual = await store.head(trail);
      if (actual !== head) throw headMoved(trail, head, actual);
    }
    return built;
  }

  /** What is missing may have been pruned and swept while we read it, because the trail went on without us. */
  async #hasMovedOn(error: unknown): Promise<boolean> {
    if (!isMissingObject(error)) return false;
    const { store, trail } = this.#options;
    const head = await store.head(trail);
    return head !== undefined && (await store.readObjects([head])).has(head);
  }

  async #build(pending: PendingCommit<State>, from: ObjectId | undefined): Promise<BuiltCommit> {
    const { trail, now, initial = {} as State, recognition, revives } = this.#options;
    const { parent, root, base } = await this.#onTopOf(from, pending);
    const draft = () => (base ? (recall(base) as State) : structuredClone(initial));
    const after = applyChange(pending.change, draft);
    const { state, options } = this.#withoutSecrets(after, pending.options);
    const { memory, objects } = encode(state, base, recognition);
    if (options.ifChanged && parent && root === memory.root)
      return { commit: undefined, head: { info: parent, root }, memory };
    const created_at = timeOf(now());
    const { info, object } = writeCheckpoint({
      ...options,
      root: memory.root,
      trail,
      created_at,
      parent,
      restored_from: pending.restoredFrom,
    });
    const commit = {
      objects,
      checkpoint: object,
      bytesAreFinal: true,
      trail,
      parent: parent?.content_hash,
      createdAt: Date.parse(created_at),
      head: { from },
      foreignId: options.foreignId,
      revives,
    };
    return { commit, memory, head: { info, root: memory.root } };
  }

  /** What a commit goes on top of. A state that is brought back whole needs nothing of a damaged head but its place. */
  async #onTopOf(from: ObjectId | undefined, pending: PendingCommit<State>): Promise<Beneath> {
    try {
      const head = from === undefined ? pending.origin : await this.#readHead(from);
      if (head === undefined) return {};
      return { parent: head.info, root: head.root, base: await this.#remember(head.root) };
    } catch (error) {
      if (pending.restoredFrom === undefined || !isCheckpointError(error, "corrupt")) throw error;
      const { store, trail } = this.#options;
      return { parent: await findStoredHead(store, trail) };
    }
  }

  /** Before anything is hashed, so that no secret ever reaches the disk. */
  #withoutSecrets(state: State, options: CommitOptions) {
    const { redactor } = this.#options;
    if (redactor === undefined) return { state, options };
    const { notes } = options;
    return {
      // What JSON would make of the state, because a redactor looks at JSON.
      state: redactor.redact(recall(encode(state).memory)).value,
      options: { ...options, notes: typeof notes === "string" ? redactor.redactText(notes).value : notes },
    };
  }

  async #readHead(id: ObjectId): Promise<UnloadedCheckpoint> {
    return this.#seen?.info.content_hash === id ? this.#seen : this.#readStored(id);
  }

  async #readStored(id: ObjectId): Promise<UnloadedCheckpoint> {
    return readCheckpoint(id, (await readChecked([id], this.#read)).get(id) as Uint8Array);
  }

  async #remember(root: ObjectId): Promise<Memory> {
    if (this.#memory?.root !== root) this.#memory = await remember(root, this.#read);
    return this.#memory;
  }

  readonly #read = (ids: readonly ObjectId[]) => this.#options.store.readObjects(ids);
}

function timeOf(date: Date): string {
  if (Number.isNaN(date.getTime())) throw invalidDate();
  return date.toISOString();
}

/** The state after a change: the given one, or what an updater makes of a draft. */
function applyChange<State extends object>(change: State | Updater<State>, freshDraft: () => State): State {
  if (typeof change !== "function") return assertObject(change);
  const draft = freshDraft();
  const result: unknown = change(draft);
  if (result === undefined || result === draft) return draft;
  if (result instanceof Promise) throw asynchronousUpdater();
  // `(state) => (state.part = …)` means the part, but would replace the whole.
  if (Object.values(draft).includes(result)) throw returnedPart();
  return assertObject(result as State);
}

function assertObject<State>(state: State): State {
  const isObject = typeof state === "object" && state !== null && !Array.isArray(state);
  const hasToJson = isObject && typeof (state as { toJSON?: unknown }).toJSON === "function";
  if (isObject && !hasToJson) return state;
  throw notAnObject(state, hasToJson);
}
