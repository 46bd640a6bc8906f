import type { JsonObject } from "../objects/json.ts";
import type { NewObject } from "../objects/object-format.ts";
import type { ObjectId } from "../objects/object-id.ts";
import type { LogEntry, LogPage } from "./log-entry.ts";
import type { StoredTrail, TrailQuery } from "./stored-trail.ts";
import type { Watchable } from "./watchable.ts";

export type { LogEntry, LogHead, LogPage } from "./log-entry.ts";
export type { StoredTrail, TrailQuery } from "./stored-trail.ts";

/**
 * Where objects, checkpoints and heads live.
 *
 * Three promises hold after every call, and after a crash at any point within one:
 * every object that a present object refers to is present; a head names a present checkpoint;
 * what was acknowledged stays until `remove` names it. Names and hashes are the caller's business: a store
 * keeps bytes. All methods may be called concurrently, also from several processes on one store.
 */
export interface Store extends Watchable {
  /** `durable` only if an acknowledged commit survives a power cut; anything less is a `cache`. */
  readonly durability: "durable" | "cache";

  /** Whether each trail has a chain of log entries of its own, beside the store's: see `logAfter`. */
  readonly hasTrailChains?: boolean;

  /** The store's own name and key: random, made once with the store, never part of what is hashed. */
  identity(): Promise<StoreIdentity>;

  /**
   * Makes objects, checkpoint and head durable together, or changes nothing. Resolves only once a power cut
   * can no longer undo it. Rejects with `conflict` when the trail's head is not `head.from`, and with a
   * stale reference (see refusals.ts) when an object refers to one that is neither in the change nor in the store.
   * Objects that are there already are left as they are, so committing the same change to another trail is cheap.
   * A trail that was removed takes no commit any more, whoever prepared it (`conflict`), unless it says `revives`.
   *
   * With a function the trail's head is held still while the change is built, so it cannot conflict;
   * every other writer waits meanwhile, so the function must be quick and must not commit.
   */
  commit(change: Commit | BuildCommit): Promise<void>;

  /** The objects' bytes in one round trip; what is not there is left out. Bytes are as stored: the caller checks them. */
  readObjects(ids: readonly ObjectId[]): Promise<Map<ObjectId, Uint8Array>>;

  /** The newest checkpoint of a trail, or undefined for a trail without one. */
  head(trail: string): Promise<ObjectId | undefined>;

  /** The checkpoints that were committed to a trail, newest commit first. */
  history(trail: string, page?: Page): Promise<StoredCheckpoint[]>;

  /** How many checkpoints were committed to a trail, all or only those after a sequence. None of them is read. */
  count(trail: string, options?: { readonly afterSequence?: number }): Promise<number>;

  /**
   * Checkpoints of any trail by what people remember of them, oldest commit first unless asked otherwise. Those of
   * hidden trails (see hidden-trails.ts) only when the query names the trail.
   */
  find(query: CheckpointQuery): Promise<StoredCheckpoint[]>;

  /**
   * The trails whose names begin with `prefix` (without one all that are not hidden), the one that moved last first:
   * in the order in which their heads were committed. A checkpoint that becomes the head again keeps its place. With a
   * limit only the first of them, at a price that does not grow with how many others there are.
   */
  trails(options?: TrailQuery): Promise<StoredTrail[]>;

  /**
   * Attaches small records to a checkpoint, each under a hash. A record with the same key is replaced, or left as it is
   * with `ifAbsent`; a null value deletes it. Records leave with their checkpoint. A record whose key begins with `pin/`
   * keeps its checkpoint from removal. Named by its foreign id, a checkpoint may come later: its records wait for it, unless
   * the trail was removed (`conflict`). Keys and foreign ids are well-formed Unicode (`usage`).
   */
  attach(
    to: ObjectId | ForeignName,
    records: Records,
    options?: { readonly ifAbsent?: boolean },
  ): Promise<void>;

  /** The records of many checkpoints in one read; those without any are left out. One that is damaged is `corrupt`. */
  attachments(checkpoints: readonly ObjectId[]): Promise<Map<ObjectId, Map<string, Uint8Array>>>;

  /** A checkpoint and its ancestors with their records, nearest first. Those that were removed are passed over. */
  lineage(checkpoint: ObjectId, options?: { readonly limit?: number }): Promise<Descended[]>;

  /** The entries of the store's log after another, in order (see log-entry.ts). Throws `corrupt` where a chain breaks. */
  readLog(page?: LogPage): Promise<LogEntry[]>;

  /**
   * Removes checkpoints, leaving a tombstone for each, and whole trails, leaving one for the trail. What must stay stays,
   * whatever is asked for: heads, pinned ones, and fork points: what any checkpoint of another trail, removed or not, had as
   * its parent, as long as that trail has checkpoints. A second call with the same ids does nothing. Objects go with the
   * next `sweep`.
   */
  remove(removal: Removal): Promise<RemovalResult>;

  /** What is left of a removed checkpoint, or undefined. */
  tombstone(id: ObjectId): Promise<Tombstone | undefined>;

  /**
   * Deletes the objects that no checkpoint reaches and gives the space back. May run beside commits and be
   * killed at any point: what it had not deleted, the next sweep will.
   */
  sweep(options?: Progress): Promise<SweepResult>;

  /** Reads everything and checks every hash and every link. Never throws for damage: it reports it. */
  verify(options?: Progress): Promise<VerifyReport>;

  /** Ends all use. A second call does nothing. */
  close(): Promise<void>;
}

export interface StoreIdentity {
  readonly id: string;
  readonly key: Uint8Array;
}

export interface Commit {
  /** Objects that the store may lack, children before parents. */
  readonly objects: readonly NewObject[];
  /** The checkpoint: an object of kind C whose parent is named apart, because a parent may be removed later. */
  readonly checkpoint: NewObject;
  /** Promises that nobody changes the objects' bytes any more, so that a store may keep them instead of a copy. */
  readonly bytesAreFinal?: boolean | undefined;
  readonly trail: string;
  readonly parent: ObjectId | undefined;
  /** Milliseconds since 1970, for finding by date. Order never depends on it. */
  readonly createdAt: number;
  /** Moves the trail's head from `from` to this checkpoint. Absent: the head stays where it is. */
  readonly head?: { readonly from: ObjectId | undefined };
  /**
   * Another trail whose checkpoints become this one's in the same step, in the order in which they were committed; it
   * is gone afterwards. So a long trail can be prepared in a hidden one and then appear as a whole.
   */
  readonly adopts?: string | undefined;
  /** Another system's id of this checkpoint: at most one checkpoint of a trail may have it (`conflict`). */
  readonly foreignId?: string | undefined;
  /** Small records to attach to it. */
  readonly records?: ReadonlyMap<string, Uint8Array> | undefined;
  /** Entries to append to the store's log, which neither `remove` nor `sweep` ever touches. */
  readonly log?: readonly JsonObject[] | undefined;
  /** With a function, where trails have chains: appends to the trail's, after this entry of the store's; built again if that has grown. */
  readonly logAfter?: number | undefined;
  /** Recreates a trail that was removed. */
  readonly revives?: boolean | undefined;
}

export type Records = ReadonlyMap<string, Uint8Array | null>;

/** A checkpoint as another system calls it. */
export interface ForeignName {
  readonly trail: string;
  readonly foreignId: string;
}

/** Builds the change for the head that is held still; undefined when there is nothing to change, and nothing happens. */
export interface BuildCommit {
  readonly trail: string;
  /** A change that was prepared for a head. It is used as it is, and nothing is built, while that is still the head. */
  readonly prepared?: Commit;
  /** For a change with entries: `share` (for `logAfter`) keeps others from the store's chain meanwhile, `hold` from all chains. */
  readonly log?: "share" | "hold" | undefined;
  readonly build: (head: ObjectId | undefined) => Promise<Commit | undefined>;
}

export interface Page {
  readonly limit?: number | undefined;
  /** Only what was committed before this one. */
  readonly before?: ObjectId | undefined;
  /** How many of the newest to pass over: a place in a long history is reached without reading the way there. */
  readonly skip?: number;
}

export interface CheckpointQuery {
  /** The first hex digits of the id. */
  readonly idPrefix?: string;
  /** Milliseconds since 1970, both included. */
  readonly createdFrom?: number;
  readonly createdTo?: number;
  readonly trail?: string;
  readonly foreignId?: string;
  /** Only what was committed after this sequence: a consumer that passes the last sequence it saw misses nothing. */
  readonly afterSequence?: number;
  /** Only those with a foreign id, in the order of its UTF-8 bytes; with `before`, only ids that come before that one. */
  readonly byForeignId?: { readonly before?: string | undefined };
  readonly limit?: number | undefined;
  readonly newestFirst?: boolean;
}

export interface StoredCheckpoint {
  readonly id: ObjectId;
  readonly bytes: Uint8Array;
  readonly trail: string;
  readonly parent: ObjectId | undefined;
  readonly createdAt: number;
  /** Rises with every commit to the store; the order of things, whatever the clocks said. */
  readonly sequence: number;
  readonly foreignId: string | undefined;
}

export interface Descended extends StoredCheckpoint {
  readonly records: ReadonlyMap<string, Uint8Array>;
}

export interface Removal {
  readonly checkpoints?: readonly ObjectId[];
  /** Whole trails, heads included. Fork points of other trails stay. */
  readonly trails?: readonly string[];
  /** Tells what would be removed and what would stay, and changes nothing. */
  readonly dryRun?: boolean;
}

export interface RemovalResult {
  readonly removed: readonly ObjectId[];
  readonly kept: readonly {
    readonly id: ObjectId;
    readonly reason: "head" | "fork point" | "pinned" | "not found";
  }[];
}

export interface Tombstone {
  readonly id: ObjectId;
  readonly parent: ObjectId | undefined;
  readonly trail: string;
  readonly createdAt: number;
}

export interface Progress {
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

export interface SweepResult {
  readonly objectsDeleted: number;
  readonly bytesFreed: number;
}

export interface VerifyReport {
  readonly objects: number;
  readonly checkpoints: number;
  readonly trails: number;
  readonly damage: readonly Damage[];
}

export interface Damage {
  readonly kind: "damaged" | "missing" | "head" | "index" | "record" | "log" | "rollback";
  /** The object, trail, record or file that is damaged, and how. */
  readonly what: string;
  readonly object?: ObjectId;
  /** The checkpoints that cannot be loaded because of it. */
  readonly costs: readonly ObjectId[];
}
