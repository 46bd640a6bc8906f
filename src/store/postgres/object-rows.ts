import type { ObjectId } from "../../objects/object-id.ts";
import { damagedObject } from "../../objects/read-tree.ts";
import type { Query } from "./database.ts";
import { unpack } from "./packing.ts";

export interface ObjectRow {
  readonly id: ObjectId;
  readonly base: ObjectId | undefined;
  readonly depth: number;
  readonly data: Uint8Array;
}

/** `base IS NULL` ends a chain; UNION, not UNION ALL, because neighbours share their bases. */
const WITH_BASES = `
  WITH RECURSIVE chain AS (
    SELECT id, base, depth, data FROM @objects WHERE id = ANY ($1)
    UNION SELECT o.id, o.base, o.depth, o.data FROM chain JOIN @objects AS o ON o.id = chain.base
  ) SELECT * FROM chain`;

/** The rows of these objects and of all that they are stored as changes of. */
export async function readRows(query: Query, ids: readonly ObjectId[]): Promise<Map<ObjectId, ObjectRow>> {
  const rows = await query<RawRow>(WITH_BASES, [[...new Set(ids)].map(bytesOf)]);
  return new Map(rows.map(toObjectRow).map((row) => [row.id, row]));
}

/** Objects by id; what is missing is left out, what cannot be rebuilt is damaged. */
export async function readObjects(
  query: Query,
  ids: readonly ObjectId[],
): Promise<Map<ObjectId, Uint8Array>> {
  if (ids.length === 0) return new Map();
  const rows = await readRows(query, ids);
  const found = new Map<ObjectId, Uint8Array>();
  for (const id of ids) {
    if (!rows.has(id)) continue;
    const bytes = rebuild(id, rows);
    if (bytes === undefined) throw damagedObject(id);
    found.set(id, bytes);
  }
  return found;
}

/** Undefined when a part of the chain is missing or damaged beyond reading. */
export function rebuild(id: ObjectId, rows: ReadonlyMap<ObjectId, ObjectRow>): Uint8Array | undefined {
  const chain: Uint8Array[] = [];
  for (let at: ObjectId | undefined = id; at !== undefined;) {
    const row = rows.get(at);
    if (row === undefined || chain.length > rows.size) return undefined;
    chain.push(row.data);
    at = row.base;
  }
  let bytes: Uint8Array | undefined;
  for (const [index, data] of chain.toReversed().entries()) {
    bytes = unpack(data, index === 0 ? undefined : bytes);
    if (bytes === undefined) return undefined;
  }
  return bytes;
}

interface RawRow {
  readonly id: Uint8Array;
  readonly base: Uint8Array | null;
  readonly depth: number;
  readonly data: Uint8Array;
}

function toObjectRow({ id, base, depth, data }: RawRow): ObjectRow {
  return { id: idOf(id), base: base ? idOf(base) : undefined, depth, data };
}

export const idOf = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex") as ObjectId;
export const optionalId = (bytes: Uint8Array | null) => (bytes ? idOf(bytes) : undefined);
export const bytesOf = (id: ObjectId) => Buffer.from(id, "hex");
export const optionalBytes = (id: ObjectId | undefined) => (id === undefined ? null : bytesOf(id));
