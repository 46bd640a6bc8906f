import type { NewObject } from "../../core/objects/object-format.ts";
import type { ObjectId } from "../../core/objects/object-id.ts";
import type { Commit, Removal } from "../../core/store/contract.ts";

/** What a commit must come to. */
export type Outcome = "taken" | "conflict" | "stale";

interface KnownCheckpoint {
  readonly id: ObjectId;
  readonly trail: string;
  readonly parent: ObjectId | undefined;
  readonly foreignId: string | undefined;
  /** The objects of its state. */
  readonly needs: readonly ObjectId[];
}

/**
 * What a store must look like from outside, in the plainest possible terms: lists, and rules applied until
 * nothing changes. It shares no code with a store, so that both cannot be wrong in the same way.
 */
export class Model {
  checkpoints: KnownCheckpoint[] = [];
  /** The trail that moved last is last. */
  heads: { trail: string; id: ObjectId }[] = [];
  pinned = new Set<ObjectId>();
  removed = new Map<ObjectId, ObjectId | undefined>();
  removedTrails = new Set<string>();
  /** Each trail with a checkpoint of another one that it had as a parent once. */
  forks: { trail: string; from: ObjectId }[] = [];
  /** Objects of states that must be there, dead or alive. */
  present = new Set<ObjectId>();

  head(trail: string): ObjectId | undefined {
    return this.heads.find((head) => head.trail === trail)?.id;
  }

  commit(change: Commit, state: readonly NewObject[]): Outcome {
    const { trail, parent, foreignId } = change;
    const { id } = change.checkpoint;
    if (this.removedTrails.has(trail) && !change.revives) return "conflict";
    if (change.head && change.head.from !== this.head(trail)) return "conflict";
    const isTaken = (known: KnownCheckpoint) => known.trail === trail && known.foreignId === foreignId;
    if (foreignId !== undefined && this.checkpoints.some(isTaken)) return "conflict";
    const needs = state.map((object) => object.id);
    const brought = new Set(change.objects.map((object) => object.id));
    if (!needs.every((need) => brought.has(need) || this.present.has(need))) return "stale";

    this.removedTrails.delete(trail);
    for (const need of needs) this.present.add(need);
    const isOwn = this.checkpoints.some((known) => known.id === parent && known.trail === trail);
    if (parent !== undefined && !isOwn) this.forks.push({ trail, from: parent });
    this.checkpoints.push({ id, trail, parent, foreignId, needs });
    if (change.head) this.heads = [...this.heads.filter((head) => head.trail !== trail), { trail, id }];
    return "taken";
  }

  remove({ checkpoints = [], trails = [] }: Removal): ObjectId[] {
    this.heads = this.heads.filter(({ trail }) => !trails.includes(trail));
    const asked = this.checkpoints.filter(
      ({ id, trail }) => checkpoints.includes(id) || trails.includes(trail),
    );
    for (const { trail } of asked) if (trails.includes(trail)) this.removedTrails.add(trail);
    let leaving = asked.filter(({ id, trail }) => this.head(trail) !== id && !this.pinned.has(id));
    const staysIn = (trail: string) =>
      this.checkpoints.some((known) => known.trail === trail && !leaving.includes(known));
    for (let before = -1; before !== leaving.length;) {
      before = leaving.length;
      const needed = this.forks.filter(({ trail }) => staysIn(trail)).map(({ from }) => from);
      leaving = leaving.filter(({ id }) => !needed.includes(id));
    }
    this.checkpoints = this.checkpoints.filter((known) => !leaving.includes(known));
    const isLeft = (trail: string) => this.checkpoints.some((known) => known.trail === trail);
    this.forks = this.forks.filter(({ trail }) => isLeft(trail));
    for (const { id, trail, parent } of leaving)
      if (!trails.includes(trail) || isLeft(trail)) this.removed.set(id, parent);
    return leaving.map(({ id }) => id);
  }

  sweep(): void {
    this.present = new Set(this.checkpoints.flatMap(({ needs }) => needs));
  }
}
