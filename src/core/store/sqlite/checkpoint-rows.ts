import { isObjectId, type ObjectId } from "../../objects/object-id.ts";
import type { Connection } from "./connection.ts";
import { hexId, readSound } from "./object-rows.ts";

/** A checkpoint in a trail, as it is stored. */
export interface CheckpointRow {
  readonly sequence: number;
  readonly object: number;
  readonly key: Uint8Array;
  readonly trail: string;
  readonly trailId: number;
  readonly head: Uint8Array | null;
  readonly parent: Uint8Array | null;
  readonly created: number;
  readonly foreign_id: string | null;
}

type Value = string | number | Uint8Array;

/** Selects checkpoints with their trails; `rest` says which, and in which order. */
export function selectRows(connection: Connection, rest: string, ...values: Value[]): CheckpointRow[] {
  return connection
    .sql(
      `SELECT sequence, checkpoints.object AS object, checkpoints.key AS key, trails.name AS trail, trails.id AS trailId,
       head, parent, created, foreign_id FROM checkpoints JOIN trails ON trails.id = checkpoints.trail ${rest}`,
    )
    .all(...values) as unknown as CheckpointRow[];
}

/** A condition for one checkpoint. By its row, which is indexed. */
export const WITH_ID = "checkpoints.object = (SELECT object FROM ids WHERE hash = ?)";

/** The ids by which heads and children name checkpoints, by the half that each row knows of its own. */
export function fullIds(rows: readonly CheckpointRow[]): Map<string, ObjectId> {
  const full = new Map<string, ObjectId>();
  for (const { head, parent } of rows) {
    for (const id of [head, parent]) if (id) full.set(halfOf(id), hexId(id));
  }
  return full;
}

/** Where a checkpoint stands. */
export interface CheckpointPlace extends Omit<CheckpointRow, "parent"> {
  readonly id: ObjectId;
  readonly isHead: boolean;
  readonly parent: ObjectId | undefined;
}

/**
 * The checkpoints of which a condition holds, in the order of commits, with their full ids: also one whose object is
 * damaged, if somebody else still names it. Only those that are neither named by others nor `named` are read for that.
 */
export function placesIn(
  connection: Connection,
  condition: string,
  values: readonly Value[] = [],
  named?: ObjectId,
): CheckpointPlace[] {
  const rows = selectRows(connection, `WHERE ${condition} ORDER BY sequence`, ...values);
  const full = fullIds(rows);
  if (isObjectId(named)) full.set(named.slice(0, 32), named);
  const memo = new Map<number, Uint8Array>();
  const idOf = ({ key, object }: CheckpointRow): ObjectId => {
    const half = hexId(key);
    return full.get(half) ?? readSound(connection, object, half, memo)?.id ?? half;
  };
  return rows.map((row) => ({
    ...row,
    id: idOf(row),
    isHead: row.head !== null && halfOf(row.head) === hexId(row.key),
    parent: row.parent ? hexId(row.parent) : undefined,
  }));
}

const halfOf = (id: Uint8Array) => hexId(id).slice(0, 32);
