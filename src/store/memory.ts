import { randomBytes, randomUUID } from "node:crypto";

import type { NewObject } from "../objects/object-format.ts";
import type { ObjectId } from "../objects/object-id.ts";
import { CheckpointError } from "../errors.ts";
import { storeClosed } from "./closed.ts";
import type {
  BuildCommit,
  CheckpointQuery,
  Commit,
  Page,
  Progress,
  Removal,
  RemovalResult,
  Store,
  StoredCheckpoint,
  StoredTrail,
  StoreIdentity,
  SweepResult,
  Tombstone,
  VerifyReport,
} from "./contract.ts";
import { damageAmong } from "./damage.ts";
import { reachableFrom } from "./reachable.ts";
import { PIN_PREFIX, planRemoval } from "./removal-plan.ts";
import { foreignIdTaken, headMoved, staleReference } from "./stale-reference.ts";

/**
 * A store that lives as long as the process: for tests, and for state that need not survive.
 *
 * @example
 * const store = await openMemoryStore();
 */
export function openMemoryStore(): Promise<Store> {
  return Promise.resolve(new MemoryStore());
}

interface Row {
  readonly id: ObjectId;
  readonly trail: string;
  readonly parent: ObjectId | undefined;
  readonly createdAt: number;
  readonly foreignId: string | undefined;
  readonly sequence: number;
}

interface Head {
  readonly id: ObjectId;
  readonly sequence: number;
}

interface StoredObject {
  readonly bytes: Uint8Array;
  readonly links: readonly ObjectId[];
}

class MemoryStore implements Store {
  readonly durability = "cache";
  readonly #identity: StoreIdentity = { id: randomUUID(), key: randomBytes(32) };
  readonly #objects = new Map<ObjectId, StoredObject>();
  readonly #records = new Map<ObjectId, Map<string, Uint8Array>>();
  readonly #tombstones = new Map<ObjectId, Tombstone & { readonly sequence: number }>();
  readonly #heads = new Map<string, Head>();
  /** In the order of commits. */
  #rows: Row[] = [];
  #sequence = 0;
  #lastWrite: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  async identity(): Promise<StoreIdentity> {
    this.#assertOpen();
    return { ...this.#identity, key: Uint8Array.from(this.#identity.key) };
  }

  commit(change: Commit | BuildCommit): Promise<void> {
    return this.#write(async () => {
      this.#apply("build" in change ? await change.build(this.#heads.get(change.trail)?.id) : change);
    });
  }

  #apply(change: Commit): void {
    this.#assertCurrent(change);
    this.#assertComplete([...change.objects, change.checkpoint]);
    for (const object of [...change.objects, change.checkpoint]) this.#insert(object);
    const sequence = ++this.#sequence;
    const { trail, parent, createdAt, foreignId } = change;
    const { id } = change.checkpoint;
    if (!this.#rows.some((row) => row.id === id && row.trail === trail)) {
      this.#rows.push({ id, trail, parent, createdAt, foreignId, sequence });
    }
    this.#tombstones.delete(id);
    if (change.head) this.#heads.set(trail, { id, sequence });
  }

  #assertCurrent({ trail, head, foreignId, checkpoint }: Commit): void {
    const found = this.#heads.get(trail)?.id;
    if (head && head.from !== found) throw headMoved(trail, head.from, found);
    if (foreignId === undefined) return;
    const owner = this.#rows.find((row) => row.trail === trail && row.foreignId === foreignId);
    if (owner && owner.id !== checkpoint.id) throw foreignIdTaken(trail, foreignId);
  }

  #assertComplete(objects: readonly NewObject[]): void {
    const brought = new Set(objects.map(({ id }) => id));
    for (const link of objects.flatMap(({ links }) => links)) {
      if (!brought.has(link) && !this.#objects.has(link)) throw staleReference(link);
    }
  }

  #insert({ id, bytes, links }: NewObject): void {
    // Copied, because a caller that reuses its buffer must not rewrite history.
    if (!this.#objects.has(id)) this.#objects.set(id, { bytes: Uint8Array.from(bytes), links: [...links] });
  }

  async readObjects(ids: readonly ObjectId[]): Promise<Map<ObjectId, Uint8Array>> {
    this.#assertOpen();
    const found = ids.filter((id) => this.#objects.has(id));
    return new Map(found.map((id) => [id, this.#bytesOf(id)]));
  }

  async head(trail: string): Promise<ObjectId | undefined> {
    this.#assertOpen();
    return this.#heads.get(trail)?.id;
  }

  async history(trail: string, { limit, before }: Page = {}): Promise<StoredCheckpoint[]> {
    this.#assertOpen();
    const end = before === undefined ? Infinity : this.#sequenceOf(trail, before);
    const rows = this.#rows.filter((row) => row.trail === trail && row.sequence < end);
    return rows
      .toReversed()
      .slice(0, limit)
      .map((row) => this.#stored(row));
  }

  #sequenceOf(trail: string, id: ObjectId): number {
    const row = this.#rows.find((candidate) => candidate.trail === trail && candidate.id === id);
    const found = row ?? this.#tombstones.get(id);
    if (found !== undefined) return found.sequence;
    throw notFound(id);
  }

  async find(query: CheckpointQuery): Promise<StoredCheckpoint[]> {
    this.#assertOpen();
    const { idPrefix = "", createdFrom = -Infinity, createdTo = Infinity } = query;
    const rows = this.#rows.filter(
      (row) =>
        row.id.startsWith(idPrefix) &&
        row.createdAt >= createdFrom &&
        row.createdAt <= createdTo &&
        (query.trail === undefined || row.trail === query.trail) &&
        (query.foreignId === undefined || row.foreignId === query.foreignId),
    );
    return rows.slice(0, query.limit).map((row) => this.#stored(row));
  }

  async trails({ prefix = "" }: { readonly prefix?: string } = {}): Promise<StoredTrail[]> {
    this.#assertOpen();
    return [...this.#heads]
      .filter(([name]) => name.startsWith(prefix))
      .toSorted(([, left], [, right]) => right.sequence - left.sequence)
      .map(([name, { id }]) => ({ name, head: id }));
  }

  attach(checkpoint: ObjectId, records: ReadonlyMap<string, Uint8Array | null>): Promise<void> {
    return this.#write(() => {
      if (!this.#rows.some(({ id }) => id === checkpoint)) throw notFound(checkpoint);
      const attached = this.#records.get(checkpoint) ?? new Map<string, Uint8Array>();
      for (const [key, value] of records) {
        if (value === null) attached.delete(key);
        else attached.set(key, Uint8Array.from(value));
      }
      this.#records.set(checkpoint, attached);
    });
  }

  async attachments(checkpoint: ObjectId): Promise<Map<string, Uint8Array>> {
    this.#assertOpen();
    const attached = this.#records.get(checkpoint) ?? new Map<string, Uint8Array>();
    return new Map([...attached].map(([key, value]) => [key, Uint8Array.from(value)]));
  }

  remove({ checkpoints = [], trails = [] }: Removal): Promise<RemovalResult> {
    return this.#write(() => {
      // A trail that is removed has no head any more, even where one of its checkpoints must stay.
      for (const trail of trails) this.#heads.delete(trail);
      const isAskedFor = ({ id, trail }: Row) => checkpoints.includes(id) || trails.includes(trail);
      const { removed, kept } = planRemoval(this.#rows, new Set(this.#rows.filter(isAskedFor)), {
        isHead: ({ id, trail }) => this.#heads.get(trail)?.id === id,
        isPinned: (id) => [...(this.#records.get(id) ?? [])].some(([key]) => key.startsWith(PIN_PREFIX)),
      });
      const unknown = new Set(checkpoints.filter((id) => !this.#rows.some((row) => row.id === id)));
      this.#bury(removed);
      const notFoundIds = [...unknown].map((id) => ({ id, reason: "not found" as const }));
      return { removed: [...new Set(removed.map(({ id }) => id))], kept: [...kept, ...notFoundIds] };
    });
  }

  #bury(removed: readonly Row[]): void {
    this.#rows = this.#rows.filter((row) => !removed.includes(row));
    const left = new Set(this.#rows.map(({ id }) => id));
    for (const { id, parent, trail, createdAt, sequence } of removed) {
      if (left.has(id)) continue;
      this.#tombstones.set(id, { id, parent, trail, createdAt, sequence });
      this.#records.delete(id);
    }
  }

  async tombstone(id: ObjectId): Promise<Tombstone | undefined> {
    this.#assertOpen();
    const found = this.#tombstones.get(id);
    return found && { id, parent: found.parent, trail: found.trail, createdAt: found.createdAt };
  }

  sweep({ onProgress }: Progress = {}): Promise<SweepResult> {
    return this.#write(() => {
      const checkpoints = this.#rows.map(({ id }) => id);
      const live = reachableFrom(checkpoints, (id) => this.#objects.get(id)?.links ?? []);
      const dead = [...this.#objects].filter(([id]) => !live.has(id));
      for (const [id] of dead) this.#objects.delete(id);
      onProgress?.(dead.length, dead.length);
      return {
        objectsDeleted: dead.length,
        bytesFreed: dead.reduce((sum, [, { bytes }]) => sum + bytes.length, 0),
      };
    });
  }

  async verify({ onProgress }: Progress = {}): Promise<VerifyReport> {
    this.#assertOpen();
    const ids = new Set(this.#rows.map(({ id }) => id));
    const damage = damageAmong(
      Array.from(this.#objects, ([id, { bytes }]) => [id, bytes] as const),
      ids,
    );
    onProgress?.(this.#objects.size, this.#objects.size);
    return { objects: this.#objects.size, checkpoints: ids.size, trails: this.#heads.size, damage };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#lastWrite;
  }

  /** Runs one writer after the other: a head that is held still for a builder must not move under it. */
  #write<T>(operation: () => T | Promise<T>): Promise<T> {
    const result = this.#lastWrite.then(() => {
      this.#assertOpen();
      return operation();
    });
    this.#lastWrite = result.catch(() => undefined);
    return result;
  }

  #assertOpen(): void {
    if (this.#isClosed) throw storeClosed();
  }

  #stored({ id, trail, parent, sequence }: Row): StoredCheckpoint {
    return { id, bytes: this.#bytesOf(id), trail, parent, sequence };
  }

  #bytesOf(id: ObjectId): Uint8Array {
    return Uint8Array.from((this.#objects.get(id) as StoredObject).bytes);
  }
}

function notFound(id: ObjectId): CheckpointError {
  return new CheckpointError("not-found", `There is no checkpoint ${id} in this store.`, { details: { id } });
}
