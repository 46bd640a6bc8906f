import { objectIdOf, type ObjectId } from "../../objects/object-id.ts";
import type { Connection } from "./connection.ts";
import { unpack } from "./object-rows.ts";
import { hexId } from "./object-rows.ts";

/** Where a checkpoint stands. */
export interface CheckpointPlace {
  readonly sequence: number;
  readonly id: ObjectId;
  readonly object: number;
  readonly trail: string;
  readonly trailId: number;
  readonly isHead: boolean;
  readonly parent: ObjectId | undefined;
  readonly created: number;
}

interface Row {
  readonly sequence: number;
  readonly object: number;
  readonly key: Uint8Array;
  readonly trail: string;
  readonly trailId: number;
  readonly head: Uint8Array | null;
  readonly parent: Uint8Array | null;
  readonly created: number;
}

/** Every checkpoint with its full id, also when its object is damaged and somebody else still names it. */
export function checkpointIds(connection: Connection): CheckpointPlace[] {
  return placesIn(connection, "1");
}

/** The checkpoints of which a condition holds, in the order of commits. */
export function placesIn(
  connection: Connection,
  condition: string,
  ...values: (string | Uint8Array)[]
): CheckpointPlace[] {
  const rows = connection
    .sql(
      `SELECT sequence, checkpoints.object AS object, key, name AS trail, trails.id AS trailId, head, parent, created
       FROM checkpoints JOIN trails ON trails.id = checkpoints.trail WHERE ${condition} ORDER BY sequence`,
    )
    .all(...values) as unknown as Row[];
  const full = new Map<string, ObjectId>();
  for (const { head, parent } of rows) {
    for (const id of [head, parent]) if (id) full.set(halfOf(id), hexId(id));
  }
  const memo = new Map<number, Uint8Array>();
  const idOf = ({ key, object }: Row): ObjectId => {
    const half = hexId(key);
    const known = full.get(half);
    if (known) return known;
    const bytes = unpack(connection, object, memo);
    const id = bytes && objectIdOf(bytes);
    return id?.startsWith(half) ? id : half;
  };
  return rows.map((row) => ({
    ...row,
    id: idOf(row),
    isHead: row.head !== null && halfOf(row.head) === hexId(row.key),
    parent: row.parent ? hexId(row.parent) : undefined,
  }));
}

const halfOf = (id: Uint8Array) => hexId(id).slice(0, 32);
