import { CheckpointError } from "../errors.ts";
import type { ObjectId } from "../objects/object-id.ts";
import type {
  CheckpointQuery,
  Commit,
  Page,
  Removal,
  RemovalResult,
  StoredTrail,
  Tombstone,
} from "./contract.ts";
import { isHidden } from "./hidden-trails.ts";
import { planRemoval } from "./removal-plan.ts";
import { foreignIdTaken, headMoved } from "./conflicts.ts";

/** A checkpoint's place in a trail: one checkpoint may be in several. */
export interface Row {
  readonly id: ObjectId;
  readonly trail: string;
  readonly parent: ObjectId | undefined;
  readonly createdAt: number;
  readonly sequence: number;
}

/** Which checkpoints there are, where trails stand, and what was removed. Knows nothing of bytes. */
export class MemoryIndex {
  /** In the order of commits. */
  readonly #rows = new Map<string, Row>();
  readonly #heads = new Map<string, ObjectId>();
  readonly #tombstones = new Map<ObjectId, Row>();
  /** By trail, then by foreign id: a checkpoint may have several. */
  readonly #foreignIds = new Map<string, Map<string, ObjectId>>();
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

  assertTakes({ trail, head, foreignId, checkpoint }: Commit): void {
    const found = this.head(trail);
    if (head && head.from !== found) throw headMoved(trail, head.from, found);
    if (foreignId === undefined) return;
    const owner = this.#foreignIds.get(trail)?.get(foreignId);
    if (owner !== undefined && owner !== checkpoint.id) throw foreignIdTaken(trail, foreignId);
  }

  add({ trail, parent, createdAt, foreignId, head, adopts, checkpoint: { id } }: Commit): void {
    if (adopts !== undefined && adopts !== trail) this.#adopt(adopts, trail);
    const sequence = ++this.#sequence;
    const key = keyOf(id, trail);
    if (!this.#rows.has(key)) this.#rows.set(key, { id, trail, parent, createdAt, sequence });
    if (foreignId !== undefined) {
      const named = this.#foreignIds.get(trail) ?? new Map<string, ObjectId>();
      this.#foreignIds.set(trail, named.set(foreignId, id));
    }
    this.#tombstones.delete(id);
    if (head) this.#heads.set(trail, id);
  }

  /** Moves what is in one trail into another. What stands there already keeps its place. */
  #adopt(from: string, to: string): void {
    const before = new Map(this.#rows);
    this.#rows.clear();
    for (const row of before.values()) {
      const { id, trail } = row;
      if (trail !== from) this.#rows.set(keyOf(id, trail), row);
      else if (!before.has(keyOf(id, to))) this.#rows.set(keyOf(id, to), { ...row, trail: to });
    }
    const named = this.#foreignIds.get(to) ?? new Map<string, ObjectId>();
    for (const [foreignId, id] of this.#foreignIds.get(from) ?? []) {
      if (!named.has(foreignId)) named.set(foreignId, id);
    }
    this.#foreignIds.set(to, named);
    this.#foreignIds.delete(from);
    this.#heads.delete(from);
  }

  history(trail: string, { limit, before }: Page): Row[] {
    const end = before === undefined ? Infinity : this.#sequenceOf(before, trail);
    const rows = [...this.#rows.values()].filter((row) => row.trail === trail && row.sequence < end);
    return rows.toReversed().slice(0, limit);
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
    limit,
    newestFirst = false,
  }: CheckpointQuery) {
    const isWanted = (row: Row) =>
      row.id.startsWith(idPrefix) &&
      row.createdAt >= createdFrom &&
      row.createdAt <= createdTo &&
      (trail === undefined ? !isHidden(row.trail) : row.trail === trail) &&
      (foreignId === undefined || this.#foreignIds.get(row.trail)?.get(foreignId) === row.id);
    const found = [...this.#rows.values()].filter(isWanted);
    return (newestFirst ? found.toReversed() : found).slice(0, limit);
  }

  trails(prefix: string): StoredTrail[] {
    return [...this.#heads]
      .filter(([name]) => (prefix === "" ? !isHidden(name) : name.startsWith(prefix)))
      .map(([name, head]) => ({ name, head, sequence: this.#sequenceOf(head, name) }))
      .toSorted((left, right) => right.sequence - left.sequence)
      .map(({ name, head }) => ({ name, head }));
  }

  remove(removal: Removal, isPinned: (id: ObjectId) => boolean): RemovalResult {
    const asked = new Set(removal.checkpoints);
    const trails = new Set(removal.trails);
    // A trail that is removed has no head any more, even where one of its checkpoints must stay.
    for (const trail of trails) this.#heads.delete(trail);
    const all = [...this.#rows.values()];
    const known = this.ids();
    const plan = planRemoval(
      all,
      new Set(all.filter(({ id, trail }) => (asked.has(id) && !isHidden(trail)) || trails.has(trail))),
      {
        isHead: ({ id, trail }) => this.head(trail) === id,
        isPinned,
        parentOfRemoved: (id) => this.#tombstones.get(id)?.parent,
      },
    );
    for (const row of plan.removed) this.#forget(row);
    const left = this.ids();
    for (const row of plan.removed)
      if (!left.has(row.id) && !isHidden(row.trail)) this.#tombstones.set(row.id, row);
    const unknown = [...asked]
      .filter((id) => !known.has(id))
      .map((id) => ({ id, reason: "not found" as const }));
    return { removed: [...new Set(plan.removed.map(({ id }) => id))], kept: [...plan.kept, ...unknown] };
  }

  #forget({ id, trail }: Row): void {
    this.#rows.delete(keyOf(id, trail));
    const named = this.#foreignIds.get(trail);
    for (const [foreignId, owner] of named ?? []) if (owner === id) named?.delete(foreignId);
  }

  tombstone(id: ObjectId): Tombstone | undefined {
    const row = this.#tombstones.get(id);
    return row && { id, parent: row.parent, trail: row.trail, createdAt: row.createdAt };
  }
}

/**
 * What `attach`, and paging before an unknown checkpoint, reject with.
 *
 * @example
 * if (!checkpoints.has(id)) throw noSuchCheckpoint(id);
 */
export function noSuchCheckpoint(id: ObjectId): CheckpointError {
  return new CheckpointError("not-found", `There is no checkpoint ${id} in this store.`, { details: { id } });
}

function prunedCheckpoint(id: ObjectId): CheckpointError {
  return new CheckpointError("not-found", `Checkpoint ${id} was pruned.`, {
    hint: "checkpoint list",
    details: { id },
  });
}

/** An id has a fixed length, so no two places share a key. */
function keyOf(id: ObjectId, trail: string): string {
  return id + trail;
}
