import { decode } from "../objects/decode.ts";
import { encode, recall, recallShared, type Memory, type Recognition } from "../objects/encode.ts";
import type { ObjectId } from "../objects/object-id.ts";
import { isMissingObject, readChecked } from "../objects/read-tree.ts";
import { remember } from "../objects/remember.ts";
import type { Commit, Store } from "../store/contract.ts";
import { headMoved, isStaleReference } from "../store/conflicts.ts";
import { applyChange, type Updater } from "./apply-change.ts";
import type { CheckpointId } from "./checkpoint-id.ts";
import {
  readCheckpoint,
  writeCheckpoint,
  type CommitNotes,
  type Committed,
  type StoredHead,
} from "./document.ts";

import type { Finding, Redactor } from "../redaction/redactor.ts";

/** What is to be committed, and what is to be said about it. */
export interface Intent<State> {
  readonly change: State | Updater<State>;
  readonly notes: CommitNotes;
  readonly ifChanged?: boolean | undefined;
  /** The checkpoint whose state is brought back. */
  readonly restoredFrom?: CheckpointId;
  /** For a fork: the checkpoint of another trail that the first one here descends from. */
  readonly origin?: StoredHead;
  /** The only head that this may go on top of: `conflict` if it is another one. */
  readonly on?: { readonly head: ObjectId | undefined };
}

export interface WriterOptions<State> {
  readonly trail: string;
  readonly store: Store;
  readonly now: () => Date;
  /** Told of what must be finished before the store is closed. */
  readonly underway: (work: Promise<unknown>) => void;
  readonly initial: State;
  readonly recognition: Recognition;
  readonly redactor?: Redactor | undefined;
  readonly onRedacted?: ((findings: readonly Finding[]) => void) | undefined;
}

/** Sweeps that may get in the way of one commit before something else must be wrong. */
const MAX_STALE = 3;

interface Built {
  /** Undefined when the head is left alone. */
  readonly commit: Commit | undefined;
  /** The head afterwards. */
  readonly head: StoredHead;
  readonly memory: Memory;
}

/** Turns changes of one trail into commits, one after the other. Remembers the last state, so each costs what changed. */
export class TrailWriter<State extends object> {
  readonly #options: WriterOptions<State>;
  /** The head that this handle last saw: what a whole new state is meant to replace. */
  #seen: StoredHead | undefined;
  #memory: Memory | undefined;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(options: WriterOptions<State>) {
    this.#options = options;
  }

  commit(intent: Intent<State>): Promise<Committed> {
    const turn = this.#queue.then(() => this.#commit(intent));
    this.#queue = turn.catch(() => undefined);
    this.#options.underway(this.#queue);
    return turn;
  }

  /**
   * Loads the state of a head that the caller has seen from then on, so that a whole state may replace it. Where states
   * are recognised by identity, what was read is remembered: the next commit neither reads nor compares it again.
   */
  async load(head: StoredHead): Promise<State> {
    const read = (ids: readonly ObjectId[]) => this.#options.store.readObjects(ids);
    if (this.#options.recognition !== "identity") {
      const state = await decode(head.root, read);
      this.#seen = head;
      return state as State;
    }
    const memory = await remember(head.root, read);
    this.#memory = memory;
    this.#seen = head;
    return recallShared(memory) as State;
  }

  async #commit(intent: Intent<State>): Promise<Committed> {
    for (let stale = 0; ; stale++) {
      try {
        const { commit, head, memory } = await this.#attempt(intent);
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
  async #apply(intent: Intent<State>): Promise<Built> {
    const { store, trail } = this.#options;
    let built = await this.#build(intent, await store.head(trail));
    const build = async (head: ObjectId | undefined) => {
      built = await this.#build(intent, head);
      return built.commit;
    };
    if (built.commit) await store.commit({ trail, prepared: built.commit, build });
    return built;
  }

  /** Commits on top of one certain head, or conflicts. */
  async #commitOn(head: ObjectId | undefined, intent: Intent<State>): Promise<Built> {
    const { store, trail } = this.#options;
    const built = await this.#build(intent, head);
    if (built.commit) await store.commit(built.commit);
    else {
      const actual = await store.head(trail);
      if (actual !== head) throw headMoved(trail, head, actual);
    }
    return built;
  }

  async #attempt(intent: Intent<State>): Promise<Built> {
    if (intent.on) return this.#commitOn(intent.on.head, intent);
    // A whole state replaces what this handle last saw; a change goes on top of whatever is there.
    if (typeof intent.change !== "function") return this.#commitOn(this.#seen?.info.content_hash, intent);
    return this.#apply(intent);
  }

  /** What is missing may have been pruned and swept while we read it, because the trail went on without us. */
  async #hasMovedOn(error: unknown): Promise<boolean> {
    if (!isMissingObject(error)) return false;
    const { store, trail } = this.#options;
    const head = await store.head(trail);
    return head !== undefined && (await store.readObjects([head])).has(head);
  }

  async #build(intent: Intent<State>, from: ObjectId | undefined): Promise<Built> {
    const { trail, now, recognition } = this.#options;
    const parent = from === undefined ? intent.origin : (this.#seenAs(from) ?? (await this.#readHead(from)));
    const base = parent && (this.#rememberedAs(parent.root) ?? (await this.#remember(parent.root)));
    const draft = () => (base ? (recall(base) as State) : structuredClone(this.#options.initial));
    const after = applyChange(intent.change, draft);
    const { state, notes } = this.#withoutSecrets(after, intent.notes);
    const { memory, objects } = encode(state, base, recognition);
    if (intent.ifChanged && parent?.root === memory.root) return { commit: undefined, head: parent, memory };
    const created_at = now().toISOString();
    const { info, object } = writeCheckpoint({
      ...notes,
      root: memory.root,
      trail,
      created_at,
      parent: parent?.info,
      restored_from: intent.restoredFrom,
    });
    const commit = {
      objects,
      checkpoint: object,
      bytesAreFinal: true,
      trail,
      parent: parent?.info.content_hash,
      createdAt: Date.parse(created_at),
      head: { from },
    };
    return { commit, memory, head: { info, root: memory.root } };
  }

  /** Before anything is hashed, so that no secret ever reaches the disk. */
  #withoutSecrets(state: State, notes: CommitNotes): { state: object; notes: CommitNotes } {
    const { redactor, onRedacted } = this.#options;
    if (redactor === undefined) return { state, notes };
    // What JSON would make of the state, because a redactor looks at JSON.
    const found = redactor.redact(recall(encode(state).memory));
    const text = typeof notes.notes === "string" ? redactor.redactText(notes.notes) : undefined;
    const findings = [...found.findings, ...(text?.findings ?? [])];
    if (findings.length > 0) onRedacted?.(findings);
    return { state: found.value, notes: { ...notes, notes: text?.value } };
  }

  #seenAs(id: ObjectId): StoredHead | undefined {
    return this.#seen?.info.content_hash === id ? this.#seen : undefined;
  }

  #rememberedAs(root: ObjectId): Memory | undefined {
    return this.#memory?.root === root ? this.#memory : undefined;
  }

  async #readHead(id: ObjectId): Promise<StoredHead> {
    const objects = await readChecked([id], (ids) => this.#options.store.readObjects(ids));
    return readCheckpoint(id, objects.get(id) as Uint8Array);
  }

  async #remember(root: ObjectId): Promise<Memory> {
    this.#memory = await remember(root, (ids) => this.#options.store.readObjects(ids));
    return this.#memory;
  }
}
