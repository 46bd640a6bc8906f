import {
  assertWellFormed,
  foreignIdTaken,
  headMoved,
  isHidden,
  noSuchCheckpoint,
  planRemoval,
  prunedCheckpoint,
  trailRemoved,
  type CheckpointQuery,
  type Commit,
  type ForeignName,
  type ObjectId,
  type Page,
  type Removal,
  type RemovalResult,
  type StoredTrail,
  type Tombstone,
} from "../../src/doors/library/store.ts";

/** A checkpoint's place in a trail: one checkpoint may be in several. */
export interface Row {
  readonly id: ObjectId;
  readonly trail: string;
  readonly parent: ObjectId | undefined;
  readonly createdAt: number;
  readonly sequence: number;
  readonly foreignId: string | undefined;
}

/** Which checkpoints there are, where trails stand, and what was removed. Knows nothing of bytes. */
export class MemoryIndex {
  /** In the order of commits. */
  readonly #rows = new Map<string, Row>();
  readonly #heads = new Map<string, ObjectId>();
  readonly #tombstones = new Map<ObjectId, Row>();
  readonly #removedTrails = new Set<string>();
  /** By fork point, the trails that forked there. */
  readonly #forks = new Map<ObjectId, Set<string>>();
  #sequence = 0;

  get trailCount(): number {
    return this.#heads.size;
  }

  /** Every checkpoint once. */
  ids(): Set<ObjectId> {
    return new Set(Array.from(this.#rows.values(), ({ id }) => id));
  }

  head(trail: string): ObjectId | undefined {
    return this.#heads.get(trail);
  }

  assertTakes({ trail, head, foreignId, checkpoint, records, revives = false }: Commit): void {
    for (const key of records?.keys() ?? []) assertWellFormed(key);
    if (this.#removedTrails.has(trail) && !revives) throw trailRemoved(trail);
    const found = this.head(trail);
    if (head && head.from !== found) throw headMoved(trail, head.from, found);
    if (foreignId === undefined) return;
    assertWellFormed(foreignId);
    const own = this.#rows.get(keyOf(checkpoint.id, trail))?.foreignId ?? foreignId;
    const owner = this.named({ trail, foreignId }) ?? checkpoint.id;
    if (owner !== checkpoint.id || own !== foreignId) throw foreignIdTaken(trail, foreignId);
  }

  /** The checkpoint that another system calls so. */
  named({ trail, foreignId }: ForeignName): ObjectId | undefined {
    return this.#of(trail).find((row) => row.foreignId === foreignId)?.id;
  }

  /** Throws where nothing can wait for a checkpoint that has not come yet. */
  assertMayCome({ trail, foreignId }: ForeignName): void {
    assertWellFormed(foreignId);
    if (this.#removedTrails.has(trail)) throw trailRemoved(trail);
  }

  add({ trail, parent, createdAt, foreignId, head, adopts, checkpoint: { id } }: Commit): void {
    this.#removedTrails.delete(trail);
    if (adopts !== undefined && adopts !== trail) this.#adopt(adopts, trail);
    const key = keyOf(id, trail);
    const known = this.#rows.get(key) ?? { id, trail, parent, createdAt, sequence: ++this.#sequence };
    this.#rows.set(key, { ...known, foreignId: (known as Row).foreignId ?? foreignId });
    this.#tombstones.delete(id);
    if (head) this.#heads.set(trail, id);
    let fork = parent;
    while (fork !== undefined && this.#tombstones.has(fork)) fork = this.#tombstones.get(fork)?.parent;
    if (fork !== undefined && !this.#rows.has(keyOf(fork, trail)))
      this.#forks.set(fork, (this.#forks.get(fork) ?? new Set()).add(trail));
  }

  #of(trail: string): Row[] {
    return [...this.#rows.values()].filter((row) => row.trail === trail);
  }

  /** Moves what is in one trail into another, as if committed now. What stands there already keeps its place. */
  #adopt(from: string, to: string): void {
    for (const row of this.#of(from)) {
      this.#rows.delete(keyOf(row.id, from));
      const foreignId = this.named({ trail: to, foreignId: row.foreignId ?? "" }) ? undefined : row.foreignId;
      const moved = { ...row, trail: to, sequence: ++this.#sequence, foreignId };
      if (!this.#rows.has(keyOf(row.id, to))) this.#rows.set(keyOf(row.id, to), moved);
    }
    for (const trails of this.#forks.values()) if (trails.delete(from)) trails.add(to);
    this.#heads.delete(from);
  }

  history(trail: string, { limit = Infinity, before, skip = 0 }: Page): Row[] {
    const end = before === undefined ? Infinity : this.#sequenceOf(before, trail);
    const rows = [...this.#rows.values()].filter((row) => row.trail === trail && row.sequence < end);
    return rows.toReversed().slice(skip, skip + limit);
  }

  count(trail: string, afterSequence: number): number {
    return this.history(trail, {}).filter(({ sequence }) => sequence > afterSequence).length;
  }

  /** Of its place in this trail, or else of the last one elsewhere. */
  #sequenceOf(id: ObjectId, trail: string): number {
    const row = this.#rows.get(keyOf(id, trail)) ?? [...this.#rows.values()].findLast((any) => any.id === id);
    if (row) return row.sequence;
    throw this.#tombstones.has(id) ? prunedCheckpoint(id) : noSuchCheckpoint(id);
  }

  find({
    idPrefix = "",
    createdFrom = -Infinity,
    createdTo = Infinity,
    trail,
    foreignId,
    afterSequence = 0,
    byForeignId,
    limit,
    newestFirst = false,
  }: CheckpointQuery) {
    const isWanted = (row: Row) =>
      row.id.startsWith(idPrefix) &&
      row.createdAt >= createdFrom &&
      row.createdAt <= createdTo &&
      (trail === undefined ? !isHidden(row.trail) : row.trail === trail) &&
      (foreignId === undefined || row.foreignId === foreignId) &&
      row.sequence > afterSequence &&
      (byForeignId === undefined || isBefore(row.foreignId, byForeignId.before));
    const found = [...this.#rows.values()].filter(isWanted);
    if (byForeignId) found.sort((one, other) => Buffer.compare(bytesOf(one), bytesOf(other)));
    return (newestFirst ? found.toReversed() : found).slice(0, limit);
  }

  trails(prefix: string, limit: number): StoredTrail[] {
    return [...this.#heads]
      .filter(([name]) => (prefix === "" ? !isHidden(name) : name.startsWith(prefix)))
      .map(([name, head]) => ({ name, head, sequence: this.#sequenceOf(head, name) }))
      .toSorted((left, right) => right.sequence - left.sequence)
      .slice(0, limit)
      .map(({ name, head }) => ({ name, head }));
  }

  remove(removal: Removal, isPinned: (id: ObjectId) => boolean): RemovalResult {
    const asked = new Set(removal.checkpoints);
    const doomed = new Set(removal.trails);
    const rows = [...this.#rows.values()].filter(({ id, trail }) => asked.has(id) || doomed.has(trail));
    const candidates = rows.map((row) => ({
      ...row,
      isHead: this.head(row.trail) === row.id,
      isPinned: isPinned(row.id),
      forkedBy: this.#forks.get(row.id) ?? [],
      places: this.#of(row.trail).length,
    }));
    const { leaving, result } = planRemoval(removal, candidates);
    if (!removal.dryRun) this.#carryOut(leaving, doomed);
    return result;
  }

  #carryOut(removed: readonly Row[], doomed: ReadonlySet<string>): void {
    for (const trail of doomed) {
      if (!isHidden(trail) && this.#of(trail).length > 0) this.#removedTrails.add(trail);
      this.#heads.delete(trail);
    }
    for (const { id, trail } of removed) this.#rows.delete(keyOf(id, trail));
    const left = this.ids();
    const rest = new Set(Array.from(this.#rows.values(), ({ trail }) => trail));
    for (const row of removed) {
      const isToldByTrail = isHidden(row.trail) || (doomed.has(row.trail) && !rest.has(row.trail));
      if (!left.has(row.id) && !isToldByTrail) this.#tombstones.set(row.id, row);
      if (!rest.has(row.trail)) for (const trails of this.#forks.values()) trails.delete(row.trail);
    }
  }

  /** A checkpoint and its ancestors, through those that were removed. */
  *lineage(id: ObjectId): Generator<Row> {
    const rows = new Map(Array.from(this.#rows.values(), (row) => [row.id, row]));
    for (let at: ObjectId | undefined = id; at !== undefined;) {
      const row: Row | undefined = rows.get(at);
      if (row) yield row;
      at = (row ?? this.#tombstones.get(at))?.parent;
    }
  }

  tombstone(id: ObjectId): Tombstone | undefined {
    const row = this.#tombstones.get(id);
    return row && { id, parent: row.parent, trail: row.trail, createdAt: row.createdAt };
  }
}

const bytesOf = ({ foreignId = "" }: Row) => Buffer.from(foreignId);

function isBefore(foreignId: string | undefined, end: string | undefined): boolean {
  if (foreignId === undefined) return false;
  return end === undefined || Buffer.compare(Buffer.from(foreignId), Buffer.from(end)) < 0;
}

/** An id has a fixed length, so no two places share a key. */
function keyOf(id: ObjectId, trail: string): string {
  return id + trail;
}
