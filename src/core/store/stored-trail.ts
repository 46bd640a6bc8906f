import type { ObjectId } from "../objects/object-id.ts";

export interface StoredTrail {
  readonly name: string;
  readonly head: ObjectId;
}

export interface TrailQuery {
  /** How their names begin; without one all that are not hidden. */
  readonly prefix?: string;
  /** How many at most. */
  readonly limit?: number | undefined;
}
