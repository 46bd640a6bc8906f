import { randomBytes, randomUUID } from "node:crypto";

// In your own program all of this comes from cairn-checkpoint/store.
import {
  assertWellFormed,
  chainEntries,
  damageAmong,
  logDamage,
  noSuchCheckpoint,
  PIN_PREFIX,
  reachableFrom,
  staleReference,
  storeClosed,
  toLogEntry,
  type BuildCommit,
  type ChainedEntry,
  type CheckpointQuery,
  type Commit,
  type Descended,
  type ForeignName,
  type LogEntry,
  type LogPage,
  type NewObject,
  type ObjectId,
  type Page,
  type Progress,
  type Records,
  type Removal,
  type RemovalResult,
  type Store,
  type StoredCheckpoint,
  type StoredTrail,
  type TrailQuery,
  type StoreIdentity,
  type SweepResult,
  type Tombstone,
  type VerifyReport,
} from "../../src/doors/library/store.ts";
import { MemoryIndex, type Row } from "./memory-index.ts";

/** Opens an empty store of plain maps: the shortest that keeps the whole contract, to learn from and to compare others with. */
export function openMapStore(): Promise<Store> {
  return Promise.resolve(new MemoryStore());
}

interface StoredObject {
  readonly bytes: Uint8Array;
  readonly links: readonly ObjectId[];
}

type Attached = Map<string, Uint8Array>;

class MemoryStore implements Store {
  readonly durability = "cache";
  readonly #identity: StoreIdentity = { id: randomUUID(), key: randomBytes(32) };
  readonly #objects = new Map<ObjectId, StoredObject>();
  readonly #index = new MemoryIndex();
  /** By checkpoint, or by the foreign name of one that has not come yet. */
  readonly #records = new Map<string, Attached>();
  readonly #log: ChainedEntry[] = [];
  #lastWrite: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  identity(): Promise<StoreIdentity> {
    return this.#read(() => ({ id: this.#identity.id, key: copyOf(this.#identity.key) }));
  }

  commit(change: Commit | BuildCommit): Promise<void> {
    return this.#write(async () => {
      const commit = "build" in change ? await this.#built(change) : change;
      if (commit) this.#apply(commit);
    });
  }

  async #built({ trail, prepared, build }: BuildCommit): Promise<Commit | undefined> {
    const head = this.#index.head(trail);
    return prepared?.head && prepared.head.from === head ? prepared : build(head);
  }

  /** Checks everything before it changes anything, and never awaits: nobody sees a part of it. */
  #apply(change: Commit): void {
    const objects = [...change.objects, change.checkpoint];
    this.#index.assertTakes(change);
    this.#assertComplete(objects);
    for (const { id, bytes, links } of objects) {
      // Copied, because a caller that reuses its buffer must not rewrite history.
      if (!this.#objects.has(id)) this.#objects.set(id, { bytes: copyOf(bytes), links: [...links] });
    }
    this.#index.add(change);
    const { trail, foreignId, records, checkpoint, log = [] } = change;
    if (foreignId !== undefined) this.#attachEarly({ trail, foreignId }, checkpoint.id);
    if (records) this.#attach(checkpoint.id, records);
    this.#log.push(...chainEntries(this.#identity.id, this.#log.at(-1), log));
  }

  #attachEarly(name: ForeignName, id: ObjectId): void {
    this.#attach(id, this.#records.get(earlyKey(name)) ?? new Map());
    this.#records.delete(earlyKey(name));
  }

  #assertComplete(objects: readonly NewObject[]): void {
    const brought = new Set(objects.map(({ id }) => id));
    for (const link of objects.flatMap(({ links }) => links)) {
      if (!brought.has(link) && !this.#objects.has(link)) throw staleReference(link);
    }
  }

  readObjects(ids: readonly ObjectId[]): Promise<Map<ObjectId, Uint8Array>> {
    return this.#read(() => {
      const found = ids.filter((id) => this.#objects.has(id));
      return new Map(found.map((id) => [id, this.#bytesOf(id)]));
    });
  }

  head(trail: string): Promise<ObjectId | undefined> {
    return this.#read(() => this.#index.head(trail));
  }

  history(trail: string, page: Page = {}): Promise<StoredCheckpoint[]> {
    return this.#read(() => this.#index.history(trail, page).map((row) => this.#stored(row)));
  }

  count(trail: string, { afterSequence = 0 } = {}): Promise<number> {
    return this.#read(() => this.#index.count(trail, afterSequence));
  }

  find(query: CheckpointQuery): Promise<StoredCheckpoint[]> {
    return this.#read(() => this.#index.find(query).map((row) => this.#stored(row)));
  }

  trails({ prefix = "", limit = Infinity }: TrailQuery = {}): Promise<StoredTrail[]> {
    return this.#read(() => this.#index.trails(prefix, limit));
  }

  attach(to: ObjectId | ForeignName, records: Records, { ifAbsent = false } = {}): Promise<void> {
    return this.#write(() => {
      const known = typeof to === "string" ? to : this.#index.named(to);
      if (known !== undefined && !this.#index.ids().has(known)) throw noSuchCheckpoint(known);
      if (known === undefined) this.#index.assertMayCome(to as ForeignName);
      for (const key of records.keys()) assertWellFormed(key);
      this.#attach(known ?? earlyKey(to as ForeignName), records, ifAbsent);
    });
  }

  #attach(to: string, records: Records, ifAbsent = false): void {
    const attached = this.#records.get(to) ?? new Map<string, Uint8Array>();
    for (const [key, value] of records) {
      if (ifAbsent && attached.has(key)) continue;
      if (value === null) attached.delete(key);
      else attached.set(key, copyOf(value));
    }
    this.#records.set(to, attached);
  }

  attachments(checkpoints: readonly ObjectId[]): Promise<Map<ObjectId, Attached>> {
    return this.#read(() => {
      const found = checkpoints.map((id) => [id, this.#attachedTo(id)] as const);
      return new Map(found.filter(([, attached]) => attached.size > 0));
    });
  }

  #attachedTo(id: ObjectId): Attached {
    const attached: Attached = this.#records.get(id) ?? new Map();
    return new Map(Array.from(attached, ([key, value]) => [key, copyOf(value)]));
  }

  lineage(id: ObjectId, { limit = Infinity } = {}): Promise<Descended[]> {
    return this.#read(() => {
      const rows = [...this.#index.lineage(id)].slice(0, limit);
      return rows.map((row) => ({ ...this.#stored(row), records: this.#attachedTo(row.id) }));
    });
  }

  readLog({ after = 0, limit = Infinity }: LogPage = {}): Promise<LogEntry[]> {
    const start = typeof after === "number" ? after : after.number;
    return this.#read(() => this.#log.slice(start, start + limit).map(toLogEntry));
  }

  remove(removal: Removal): Promise<RemovalResult> {
    return this.#write(() => {
      const result = this.#index.remove(removal, (id) => this.#isPinned(id));
      if (removal.dryRun) return result;
      const left = this.#index.ids();
      for (const id of result.removed) if (!left.has(id)) this.#records.delete(id);
      for (const trail of removal.trails ?? []) {
        const early = earlyKey({ trail, foreignId: "" });
        for (const key of this.#records.keys()) if (key.startsWith(early)) this.#records.delete(key);
      }
      return result;
    });
  }

  #isPinned(id: ObjectId): boolean {
    const keys = [...(this.#records.get(id)?.keys() ?? [])];
    return keys.some((key) => key.startsWith(PIN_PREFIX));
  }

  tombstone(id: ObjectId): Promise<Tombstone | undefined> {
    return this.#read(() => this.#index.tombstone(id));
  }

  sweep({ onProgress }: Progress = {}): Promise<SweepResult> {
    return this.#write(() => {
      const live = reachableFrom(this.#index.ids(), (id) => this.#objects.get(id)?.links ?? []);
      const dead = [...this.#objects].filter(([id]) => !live.has(id));
      for (const [id] of dead) this.#objects.delete(id);
      onProgress?.(dead.length, dead.length);
      const bytesFreed = dead.reduce((sum, [, { bytes }]) => sum + bytes.length, 0);
      return { objectsDeleted: dead.length, bytesFreed };
    });
  }

  verify({ onProgress }: Progress = {}): Promise<VerifyReport> {
    return this.#read(() => {
      const checkpoints = this.#index.ids();
      const objects = Array.from(this.#objects, ([id, { bytes }]) => [id, bytes] as const);
      const damage = [...damageAmong(objects, checkpoints), ...logDamage(this.#identity.id, this.#log)];
      const { size } = this.#objects;
      onProgress?.(size, size);
      return { objects: size, checkpoints: checkpoints.size, trails: this.#index.trailCount, damage };
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#lastWrite;
  }

  /** Turns whatever a read throws into a rejection. */
  async #read<T>(operation: () => T): Promise<T> {
    if (this.#isClosed) throw storeClosed();
    return operation();
  }

  /** Runs one writer after the other: a head that is held still for a builder must not move under it. */
  #write<T>(operation: () => T | Promise<T>): Promise<T> {
    const result = this.#lastWrite.then(() => {
      if (this.#isClosed) throw storeClosed();
      return operation();
    });
    this.#lastWrite = result.catch(() => undefined);
    return result;
  }

  #stored(row: Row): StoredCheckpoint {
    return { ...row, bytes: this.#bytesOf(row.id) };
  }

  #bytesOf(id: ObjectId): Uint8Array {
    return copyOf((this.#objects.get(id) as StoredObject).bytes);
  }
}

/** No name of a trail holds a NUL. */
function earlyKey({ trail, foreignId }: ForeignName): string {
  return `${trail}\0${foreignId}`;
}

function copyOf(bytes: Uint8Array): Uint8Array {
  return Uint8Array.from(bytes);
}
