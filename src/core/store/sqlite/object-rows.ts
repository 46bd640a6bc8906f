import { CheckpointError } from "../../errors.ts";
import { objectIdOf, type ObjectId } from "../../objects/object-id.ts";
import { damagedObject } from "../../objects/read-tree.ts";
import { MAX_CHAIN, pack, unpack, type Base } from "../packing.ts";
import { Recent } from "../recent.ts";
import type { Connection } from "./connection.ts";

/** Where an object is kept, and how many others must be read to rebuild it. */
export interface RowRef {
  readonly row: number;
  readonly depth: number;
}

/** Ids are looked up by half their hash: no two objects will share 128 bits, and reading checks all 256. */
export function keyOf(id: ObjectId): Uint8Array {
  return Buffer.from(id.slice(0, 32), "hex");
}

interface ObjectRow {
  readonly base: number | null;
  readonly data: Uint8Array;
}

/** Bytes of rows that were rebuilt, because neighbours share their bases. A row's bytes never change. */
export interface Memo {
  get(row: number): Uint8Array | undefined;
  set(row: number, bytes: Uint8Array): unknown;
}

/** How many bytes a walk over the whole store remembers. */
const WALK_BYTES = 32 * 1024 * 1024;

/** What a walk over many rows remembers: what was rebuilt last. A walk in the order of rows finds most bases in it. */
export const newWalkMemo = (): Memo => new Recent(WALK_BYTES, ({ length }) => length);

/** Objects by id; what is missing is left out, what cannot be rebuilt is damaged. */
export function readObjectRows(connection: Connection, ids: readonly ObjectId[]): Map<ObjectId, Uint8Array> {
  const memo = new Map<number, Uint8Array>();
  const found = new Map<ObjectId, Uint8Array>();
  const find = connection.sql(
    "SELECT objects.id AS row, base, data FROM ids JOIN objects ON objects.id = ids.object WHERE hash = ?",
  );
  for (const id of ids) {
    const stored = find.get(keyOf(id)) as (ObjectRow & { readonly row: number }) | undefined;
    if (stored === undefined) continue;
    const bytes = rebuild(connection, stored.row, memo, stored);
    if (bytes === undefined) throw damagedObject(id);
    found.set(id, bytes);
  }
  return found;
}

/**
 * Rebuilds an object's bytes. `memo` keeps what was rebuilt on the way; `found` is the first row, if it has been read.
 */
export function rebuild(
  connection: Connection,
  row: number,
  memo: Memo,
  found?: ObjectRow,
): Uint8Array | undefined {
  const chain: { row: number; data: Uint8Array }[] = [];
  let bytes: Uint8Array | undefined;
  for (let at: number | null = row; at !== null && bytes === undefined;) {
    bytes = memo.get(at);
    if (bytes !== undefined) break;
    const stored: ObjectRow | undefined = found && at === row ? found : objectRow(connection, at);
    if (stored === undefined || !isSound(stored) || chain.length > MAX_CHAIN) return undefined;
    if (stored.base === null) {
      bytes = unpack(stored.data);
      if (bytes === undefined) return undefined;
      memo.set(at, bytes);
    } else {
      chain.push({ row: at, data: stored.data });
    }
    at = stored.base;
  }
  for (const { row: at, data } of chain.toReversed()) {
    bytes = unpack(data, bytes);
    if (bytes === undefined) return undefined;
    memo.set(at, bytes);
  }
  return bytes;
}

/** An object's bytes and full id, if they are what its id says, or the half of it that the index has. */
export function readSound(
  connection: Connection,
  row: number,
  id: string,
  memo: Memo = new Map(),
): { id: ObjectId; bytes: Uint8Array } | undefined {
  const bytes = rebuild(connection, row, memo);
  const full = bytes && objectIdOf(bytes);
  return bytes && full?.startsWith(id) ? { id: full, bytes } : undefined;
}

function objectRow(connection: Connection, row: number): ObjectRow | undefined {
  return connection.sql("SELECT base, data FROM objects WHERE id = ?").get(row) as ObjectRow | undefined;
}

/** In a damaged file a column may hold anything. */
function isSound({ base, data }: ObjectRow): boolean {
  return data instanceof Uint8Array && (base === null || typeof base === "number");
}

/** Stores an object's bytes whole from now on, in the same row. */
export function storeWhole(connection: Connection, row: number, bytes: Uint8Array): void {
  connection
    .sql("UPDATE objects SET base = NULL, depth = 0, data = ? WHERE id = ?")
    .run(pack(bytes).data, row);
}

/** The whole object that a chain begins with. */
export function startOfChain(connection: Connection, row: number): Base<RowRef> | undefined {
  let start = row;
  for (let length = 0; length <= MAX_CHAIN; length++) {
    const stored = connection.sql("SELECT base FROM objects WHERE id = ?").get(start) as
      | { base: number | null }
      | undefined;
    if (stored === undefined || stored.base === null) break;
    start = stored.base;
  }
  const bytes = rebuild(connection, start, new Map());
  return bytes && { ref: { row: start, depth: 0 }, bytes };
}

/** Where an object is, as of now. */
export function findRow(connection: Connection, id: ObjectId): RowRef | undefined {
  return connection
    .sql(
      "SELECT ids.object AS row, objects.depth AS depth FROM ids JOIN objects ON objects.id = ids.object WHERE hash = ?",
    )
    .get(keyOf(id)) as RowRef | undefined;
}

export function hexId(bytes: Uint8Array): ObjectId {
  // In a damaged file a column may hold anything.
  if (!((bytes as unknown) instanceof Uint8Array)) {
    throw new CheckpointError("corrupt", "The store holds something else where an id should be.", {
      hint: "checkpoint verify",
    });
  }
  return Buffer.from(bytes).toString("hex") as ObjectId;
}
