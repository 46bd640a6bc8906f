import { CheckpointError } from "../errors.ts";
import { encode, recall, type Memory, type Recognition } from "../objects/encode.ts";
import type { ObjectId } from "../objects/object-id.ts";
import { readChecked } from "../objects/read-tree.ts";
import { remember } from "../objects/remember.ts";
import type { Commit, Store } from "../store/contract.ts";
import { isStaleReference } from "../store/stale-reference.ts";
import type { CheckpointId } from "./checkpoint-id.ts";
import {
  readCheckpoint,
  writeCheckpoint,
  type CheckpointInfo,
  type CommitNotes,
  type StoredHead,
} from "./document.ts";

import type { Finding, Redactor } from "./redaction/redactor.ts";

/** Changes a draft in place, or returns a new state. Pure: it may run again, on a newer head. */
export type Updater<State> = (draft: State) => State | void;

/** What is to be committed, and what is to be said about it. */
export interface Intent<State> {
  readonly change: State | Updater<State>;
  readonly notes: CommitNotes;
  /** The checkpoint whose state is brought back. */
  readonly restoredFrom?: CheckpointId;
  /** For a fork: the checkpoint of another trail that the first one here descends from. */
  readonly origin?: StoredHead;
}

export interface WriterOptions<State> {
  readonly trail: string;
  readonly store: Store;
  readonly now: () => Date;
  readonly initial: State;
  readonly recognition: Recognition;
  readonly redactor?: Redactor | undefined;
  readonly onRedacted?: ((findings: readonly Finding[]) => void) | undefined;
}

/** Sweeps that may get in the way of one commit before something else must be wrong. */
const MAX_STALE = 3;

interface Built {
  readonly commit: Commit;
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

  async commit(intent: Intent<State>): Promise<CheckpointInfo> {
    const turn = this.#queue.then(() => this.#commit(intent));
    this.#queue = turn.catch(() => undefined);
    return turn;
  }

  /** Tells that the caller has seen this head, so that a whole state may replace it. */
  saw(head: StoredHead): void {
    this.#seen = head;
  }

  async #commit(intent: Intent<State>): Promise<CheckpointInfo> {
    for (let stale = 0; ; stale++) {
      try {
        const built =
          typeof intent.change === "function" ? await this.#apply(intent) : await this.#replace(intent);
        this.#memory = built.memory;
        this.#seen = built.head;
        return built.head.info;
      } catch (error) {
        if (!isStaleReference(error) || stale === MAX_STALE) throw error;
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
    await store.commit({ trail, prepared: built.commit, build });
    return built;
  }

  /** Puts a whole state in the place of what this handle last saw, or conflicts. */
  async #replace(intent: Intent<State>): Promise<Built> {
    const built = await this.#build(intent, this.#seen?.info.content_hash);
    await this.#options.store.commit(built.commit);
    return built;
  }

  async #build(intent: Intent<State>, from: ObjectId | undefined): Promise<Built> {
    const { trail, now, recognition } = this.#options;
    const parent = from === undefined ? intent.origin : await this.#readHead(from);
    const base = parent && (await this.#remember(parent.root));
    const { state, notes } = this.#withoutSecrets(this.#stateOf(intent, base), intent.notes);
    const { memory, objects } = encode(state, base, recognition);
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
      trail,
      parent: parent?.info.content_hash,
      createdAt: Date.parse(created_at),
      head: { from },
    };
    return { commit, memory, head: { info, root: memory.root } };
  }

  #stateOf({ change }: Intent<State>, base: Memory | undefined): State {
    if (typeof change !== "function") return change;
    const draft = base ? (recall(base) as State) : structuredClone(this.#options.initial);
    const result: unknown = change(draft);
    if (result instanceof Promise) throw asynchronousUpdater();
    return (result as State | undefined) ?? draft;
  }

  /** Before anything is hashed, so that no secret ever reaches the disk. */
  #withoutSecrets(state: State, notes: CommitNotes): { state: object; notes: CommitNotes } {
    const { redactor, onRedacted } = this.#options;
    if (redactor === undefined) return { state, notes };
    // What JSON would make of the state, because a redactor looks at JSON.
    const found = redactor.redact(recall(encode(state).memory));
    const text = notes.notes === undefined ? undefined : redactor.redactText(notes.notes);
    const findings = [...found.findings, ...(text?.findings ?? [])];
    if (findings.length > 0) onRedacted?.(findings);
    return { state: found.value, notes: { ...notes, notes: text?.value } };
  }

  async #readHead(id: ObjectId): Promise<StoredHead> {
    if (this.#seen?.info.content_hash === id) return this.#seen;
    const objects = await readChecked([id], (ids) => this.#options.store.readObjects(ids));
    return readCheckpoint(id, objects.get(id) as Uint8Array);
  }

  async #remember(root: ObjectId): Promise<Memory> {
    if (this.#memory?.root !== root) {
      this.#memory = await remember(root, (ids) => this.#options.store.readObjects(ids));
    }
    return this.#memory;
  }
}

function asynchronousUpdater(): CheckpointError {
  return new CheckpointError("usage", "The updater returned a promise, but it must be synchronous.", {
    hint: "Await what you need first, then commit with it: an updater may run more than once, under a lock.",
  });
}
