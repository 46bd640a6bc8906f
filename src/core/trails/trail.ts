import { isCheckpointError } from "../errors.ts";
import { decode } from "../objects/decode.ts";
import { diffStates, type Change } from "../objects/diff.ts";
import type { JsonObject } from "../objects/json.ts";
import type { ObjectId } from "../objects/object-id.ts";
import { isMissingObject } from "../objects/read-tree.ts";
import {
  infoOrDamage,
  readCheckpoint,
  type Checkpoint,
  type CheckpointInfo,
  type CommitNotes,
  type CommitOptions,
  type Committed,
  type UnloadedCheckpoint,
} from "./document.ts";
import { findPair, findStored, findStoredHead, namingDamaged } from "./find-checkpoint.ts";
import { parseTrailName } from "./names.ts";
import type { PruneOptions, PruneReport } from "./prune.ts";
import type { RetentionPolicy } from "./retention-policy.ts";
import { findReferred } from "./references.ts";
import { noCheckpoint, noParent, runsRefuseUndo, trailExists } from "./trail-errors.ts";
import type { TrailContext, TrailOptions, Updater } from "./trail-options.ts";
import { TrailWriter } from "./trail-writer.ts";

/** How often an undo tries again after losing the race to another writer. */
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
    this.#writer = new TrailWriter({ trail: name, ...options, ...context });
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
  async commit(change: State | Updater<State>, options: CommitOptions = {}): Promise<Committed> {
    return this.#writer.commit({ change, options });
  }

  /** The newest checkpoint, or undefined when there is none yet. */
  async head(): Promise<CheckpointInfo | undefined> {
    return (await this.#writer.head())?.info;
  }

  /**
   * Loads a checkpoint with its state: the newest of this trail, or the one with this id (the beginning of an
   * id is enough). Every byte is checked against its hash.
   */
  async load(id?: string): Promise<Checkpoint<State>> {
    if (id !== undefined) {
      const { found, state } = await this.#loadNamed(id);
      return { ...found.info, state };
    }
    const found = await this.#writer.head();
    if (found === undefined) throw noCheckpoint(this.name);
    try {
      return { ...found.info, state: await this.#writer.load(found) };
    } catch (error) {
      if (!(await this.#wasPruned(error, found.info.content_hash))) throw error;
      return this.load();
    }
  }

  /** A checkpoint that was named. One that is damaged is named by the error, which says what can be done. */
  async #loadNamed(text: string): Promise<{ found: UnloadedCheckpoint; state: State }> {
    const { store } = this.#context;
    const stored = await findStored(store, (await findReferred(store, this.name, text)) ?? text);
    try {
      const found = readCheckpoint(stored.id, stored.bytes);
      return { found, state: (await decode(found.root, this.#read)) as State };
    } catch (error) {
      if (await this.#wasPruned(error, stored.id)) return this.#loadNamed(text);
      throw await namingDamaged(store, stored, error);
    }
  }

  /** Whether a checkpoint was pruned and swept while it was being read: gone, not damaged. */
  async #wasPruned(error: unknown, id: ObjectId): Promise<boolean> {
    return isMissingObject(error) && (await this.#context.store.tombstone(id)) !== undefined;
  }

  /** The checkpoints that were committed to this trail, newest first. */
  async history({
    limit,
    before,
  }: { readonly limit?: number; readonly before?: string | undefined } = {}): Promise<CheckpointInfo[]> {
    const { store } = this.#context;
    const last = before === undefined ? undefined : (await findStored(store, before)).id;
    return (await store.history(this.name, { limit, before: last })).map(infoOrDamage);
  }

  /** What changed between two checkpoints; by default between the newest and the one before it. */
  async diff(from?: string, to?: string): Promise<CheckpointDiff> {
    const pair = await findPair(this.#context.store, this.name, { from, to });
    const { changes, objectsRead } = await diffStates(pair.from.root, pair.to.root, this.#read);
    return { from: pair.from.info, to: pair.to.info, changes, objectsRead };
  }

  /** Starts a new trail from a checkpoint (the newest by default). Nothing is copied: both share their objects. */
  async fork(
    name: string,
    { id, ...notes }: CommitNotes & { readonly id?: string } = {},
  ): Promise<Trail<State>> {
    // Checks the name before anything is read. The name of a deleted trail may be used again.
    const trail = new Trail<State>(name, this.#context, { ...this.#options, revives: true });
    const { found: origin, state } = await this.#loadToBringBack(id ?? "@");
    try {
      await trail.#writer.commit({
        change: () => state,
        options: { trigger: "fork", ...notes },
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
    return this.#bringBack(id, { trigger: "restore", ...notes });
  }

  /** Brings the state before the newest change back, as a new head. Called again, it goes one step further back. */
  async undo(notes: CommitNotes = {}): Promise<CheckpointInfo> {
    this.#assertNoRun();
    for (let tries = 0; ; tries++) {
      try {
        return await this.#undoOnce(notes);
      } catch (error) {
        // Another writer was quicker, so there is another change to undo.
        if (!isCheckpointError(error, "conflict") || tries === MAX_TRIES) throw error;
      }
    }
  }

  async #undoOnce(notes: CommitNotes): Promise<CheckpointInfo> {
    const { store } = this.#context;
    const head = await findStoredHead(store, this.name);
    if (head === undefined) throw noCheckpoint(this.name);
    const { trigger, restored_from } = head;
    const wasUndone = trigger === "undo" && restored_from !== null;
    const undone = wasUndone ? infoOrDamage(await findStored(store, restored_from)) : head;
    if (undone.trigger === "fork" || undone.parent_hash === null) throw noParent(undone);
    return this.#bringBack(undone.parent_hash, { trigger: "undo", ...notes }, { head: head.content_hash });
  }

  async #bringBack(
    earlier: string,
    notes: CommitNotes,
    on?: { readonly head: ObjectId },
  ): Promise<CheckpointInfo> {
    const { found, state } = await this.#loadToBringBack(earlier);
    const restoredFrom = found.info.checkpoint_id;
    return this.#writer.commit({ change: () => state, options: notes, restoredFrom, on });
  }

  /** A checkpoint with its state, which is marked as imported if a file brought it. */
  async #loadToBringBack(text: string) {
    const { found, state } = await this.#loadNamed(text);
    const { store, markIfImported } = this.#context;
    return { found, state: await markIfImported(store, found.info.content_hash, state) };
  }

  /** A run that goes back would repeat what it has done. */
  #assertNoRun(): void {
    if (this.name.startsWith("run/")) throw runsRefuseUndo(this.name);
  }

  readonly #read = (ids: readonly ObjectId[]) => this.#context.store.readObjects(ids);
}
