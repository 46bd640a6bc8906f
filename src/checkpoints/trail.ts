import { isCheckpointError } from "../errors.ts";
import { decode } from "../objects/decode.ts";
import { diffStates, type Change } from "../objects/diff.ts";
import type { Recognition } from "../objects/encode.ts";
import type { JsonObject } from "../objects/json.ts";
import type { ObjectId } from "../objects/object-id.ts";
import { isMissingObject, readChecked } from "../objects/read-tree.ts";
import type { Page, Store } from "../store/contract.ts";
import type { Updater } from "./apply-change.ts";
import {
  infoOrDamage,
  readCheckpoint,
  type Checkpoint,
  type CheckpointInfo,
  type CommitNotes,
  type CommitOptions,
  type Committed,
  type StoredHead,
} from "./document.ts";
import { parseTrailName } from "./names.ts";
import type { PruneOptions, PruneReport } from "./prune.ts";
import type { Finding, Redactor } from "../redaction/redactor.ts";
import { resolve } from "./resolve.ts";
import type { RetentionPolicy } from "./retention-policy.ts";
import { noCheckpoint, noParent, runsRefuseUndo, trailExists } from "./trail-errors.ts";
import { asBelieved, isOwn } from "./import-record.ts";
import { TrailWriter } from "./trail-writer.ts";

export interface TrailOptions<State> {
  /** The state that the first updater starts from. */
  readonly initial?: State;
  /** How unchanged parts are recognised; `identity` only for states that are never mutated. */
  readonly recognition?: Recognition;
  /** Takes secrets out of states and notes before they are stored. Without one they are kept exactly as given. */
  readonly redactor?: Redactor;
  /** Told how many secrets were taken out and where, never what they were. */
  readonly onRedacted?: (findings: readonly Finding[]) => void;
}

export interface TrailContext {
  readonly store: Store;
  readonly now: () => Date;
  /** Told of what must be finished before the store is closed. */
  readonly underway: (work: Promise<unknown>) => void;
}

/** How often an undo looks again because somebody else was quicker. */
const MAX_TRIES = 20;

/** The difference between two checkpoints. */
export interface CheckpointDiff {
  readonly from: CheckpointInfo;
  readonly to: CheckpointInfo;
  readonly changes: readonly Change[];
  /** How many objects had to be read to find it: equal parts are skipped unread. */
  readonly objectsRead: number;
}

/** A named line of checkpoints. One handle may be used concurrently; its commits take turns. */
export class Trail<State extends object = JsonObject> {
  readonly name: string;
  readonly #context: TrailContext;
  readonly #options: TrailOptions<State>;
  readonly #writer: TrailWriter<State>;

  constructor(name: string, context: TrailContext, options: TrailOptions<State> = {}) {
    this.name = parseTrailName(name);
    this.#context = context;
    this.#options = options;
    this.#writer = new TrailWriter({
      trail: name,
      initial: {} as State,
      recognition: "verify",
      ...options,
      ...context,
    });
  }

  /**
   * Saves a checkpoint: durable before this resolves.
   *
   * With an updater, a change that loses the race to another writer is applied again to the new head. A
   * whole state is never retried: `conflict` unless the head is the one that this handle last saw. It is read
   * while the promise is pending, so it must not be changed until then.
   *
   * A state that is the same as before is saved too, unless `ifChanged` is set.
   *
   * @example
   * await trail.commit((state) => { state.variables.region = "eu"; }, { notes: "before deploy" });
   * const { unchanged = false } = await trail.commit(addTags, { ifChanged: true });
   */
  async commit(
    change: State | Updater<State>,
    { ifChanged, ...notes }: CommitOptions = {},
  ): Promise<Committed> {
    return this.#writer.commit({ change, notes, ifChanged });
  }

  /** The newest checkpoint, or undefined when there is none yet. */
  async head(): Promise<CheckpointInfo | undefined> {
    return (await this.#head())?.info;
  }

  /**
   * Loads a checkpoint with its state: the newest of this trail, or the one with this id (the beginning of an
   * id is enough). Every byte is checked against its hash.
   */
  async load(id?: string): Promise<Checkpoint<State>> {
    const found = id === undefined ? await this.#head() : await this.#find(id);
    if (found === undefined) throw noCheckpoint(this.name);
    try {
      if (id === undefined) return { ...found.info, state: await this.#writer.load(found) };
      return { ...found.info, state: (await decode(found.root, this.#read)) as State };
    } catch (error) {
      if (!(await this.#wasPruned(error, found))) throw error;
      return this.load(id);
    }
  }

  /** Whether a checkpoint was pruned and swept while it was read: then it is not damaged, but gone. */
  async #wasPruned(error: unknown, { info }: StoredHead): Promise<boolean> {
    return isMissingObject(error) && (await this.#context.store.tombstone(info.content_hash)) !== undefined;
  }

  /** The checkpoints that were committed to this trail, newest first. */
  async history(page: Omit<Page, "before"> & { readonly before?: string } = {}): Promise<CheckpointInfo[]> {
    const before =
      page.before === undefined ? undefined : (await resolve(this.#context.store, page.before)).id;
    const { limit } = page;
    const stored = await this.#context.store.history(this.name, {
      ...(limit === undefined ? {} : { limit }),
      ...(before === undefined ? {} : { before }),
    });
    return stored.map(infoOrDamage);
  }

  /** What changed between two checkpoints; by default between the newest and the one before it. */
  async diff(from?: string, to?: string): Promise<CheckpointDiff> {
    const target = to === undefined ? await this.#head() : await this.#find(to);
    if (target === undefined) throw noCheckpoint(this.name);
    const source = from === undefined ? await this.#parentOf(target) : await this.#find(from);
    const { changes, objectsRead } = await diffStates(source.root, target.root, this.#read);
    return { from: source.info, to: target.info, changes, objectsRead };
  }

  /** Starts a new trail from a checkpoint (the newest by default). Nothing is copied: both share their objects. */
  async fork(
    name: string,
    { id, ...notes }: CommitNotes & { readonly id?: string } = {},
  ): Promise<Trail<State>> {
    // The name is checked first, before anything is read.
    const trail = new Trail<State>(name, this.#context, this.#options);
    const origin = id === undefined ? await this.#head() : await this.#find(id);
    if (origin === undefined) throw noCheckpoint(this.name);
    try {
      await trail.#writer.commit({
        change: await this.#believed(origin),
        notes: { trigger: "fork", ...notes },
        origin,
        restoredFrom: origin.info.checkpoint_id,
        on: { head: undefined },
      });
    } catch (error) {
      throw isCheckpointError(error, "conflict") ? trailExists(name) : error;
    }
    return trail;
  }

  /** Removes old checkpoints by a policy. The newest, fork points and pinned ones always stay. */
  async prune(policy: RetentionPolicy, options: Omit<PruneOptions, "now"> = {}): Promise<PruneReport> {
    const { store, now } = this.#context;
    const { prune } = await import("./prune.ts");
    return prune(store, { trail: this.name }, policy, { now: now(), ...options });
  }

  /** Brings the state of an earlier checkpoint back, as a new head. Nothing is lost: the way back is `undo`. */
  async restore(id: string, notes: CommitNotes = {}): Promise<CheckpointInfo> {
    this.#assertNoRun();
    return this.#bringBack(await this.#find(id), { trigger: "restore", ...notes });
  }

  /** Brings the state before the newest change back, as a new head. Called again, it goes one step further back. */
  async undo(notes: CommitNotes = {}): Promise<CheckpointInfo> {
    this.#assertNoRun();
    for (let tries = 0; ; tries++) {
      try {
        return await this.#undoOnce(notes);
      } catch (error) {
        // Somebody else was quicker: what is newest now is another change.
        if (!isCheckpointError(error, "conflict") || tries === MAX_TRIES) throw error;
      }
    }
  }

  async #undoOnce(notes: CommitNotes): Promise<CheckpointInfo> {
    const head = await this.#head();
    if (head === undefined) throw noCheckpoint(this.name);
    const { trigger, restored_from } = head.info;
    const undone = trigger === "undo" && restored_from !== null ? await this.#find(restored_from) : head;
    if (undone.info.trigger === "fork") throw noParent(undone.info);
    const earlier = await this.#parentOf(undone);
    return this.#bringBack(earlier, { trigger: "undo", ...notes }, { head: head.info.content_hash });
  }

  async #bringBack(
    earlier: StoredHead,
    notes: CommitNotes,
    on?: { readonly head: ObjectId },
  ): Promise<CheckpointInfo> {
    const state = (await decode(earlier.root, this.#read)) as State;
    const believed = await asBelieved(this.#context.store, earlier.info.content_hash, state);
    const restoredFrom = earlier.info.checkpoint_id;
    return this.#writer.commit({ change: () => believed, notes, restoredFrom, ...(on ? { on } : {}) });
  }

  /** For a fork, the state that it starts from: as it is, unless it came in a file. */
  async #believed({ root, info }: StoredHead): Promise<Updater<State>> {
    if (await isOwn(this.#context.store, info.content_hash)) return (draft) => draft;
    const state = (await decode(root, this.#read)) as State;
    const believed = await asBelieved(this.#context.store, info.content_hash, state);
    return () => believed;
  }

  /** A run that goes back would do again what it has done. */
  #assertNoRun(): void {
    if (this.name.startsWith("run/")) throw runsRefuseUndo(this.name);
  }

  async #head(): Promise<StoredHead | undefined> {
    const id = await this.#context.store.head(this.name);
    return id === undefined ? undefined : this.#readById(id);
  }

  async #find(id: string): Promise<StoredHead> {
    const { id: hash, bytes } = await resolve(this.#context.store, id);
    return readCheckpoint(hash, bytes);
  }

  async #parentOf({ info }: StoredHead): Promise<StoredHead> {
    if (info.parent_hash === null) throw noParent(info);
    return this.#find(info.parent_hash);
  }

  async #readById(id: ObjectId): Promise<StoredHead> {
    return readCheckpoint(id, (await readChecked([id], this.#read)).get(id) as Uint8Array);
  }

  readonly #read = (ids: readonly ObjectId[]) => this.#context.store.readObjects(ids);
}
