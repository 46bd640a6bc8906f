import type { ObjectId } from "../../../core/objects/object-id.ts";
import { damagedObject } from "../../../core/objects/read-tree.ts";
import type { FoundObject } from "../../../core/store/damage.ts";
import { unpack } from "../../../core/store/packing.ts";
import type { Query } from "./database.ts";

/** A base that is missing goes by an id that nothing has. */
type ObjectRow = { readonly base: ObjectId | undefined; readonly data: Uint8Array };
export type ObjectRows = ReadonlyMap<ObjectId, ObjectRow>;

/** How many objects are read at once. */
const READ_AT_ONCE = 500;

/** UNION, not UNION ALL, because neighbours share their bases. */
const WITH_BASES = `
  WITH RECURSIVE chain AS (
    SELECT number, base, id, data FROM @objects WHERE id = ANY ($1)
    UNION SELECT o.number, o.base, o.id, o.data FROM chain JOIN @objects AS o ON o.number = chain.base
  ) SELECT * FROM chain`;

/** The rows of these objects and of all that they are stored as changes of. */
export async function readRows(query: Query, ids: readonly ObjectId[]): Promise<ObjectRows> {
  if (ids.length === 0) return new Map();
  type Row = { number: string; base: string | null; id: Uint8Array; data: Uint8Array };
  const rows = await query<Row>(WITH_BASES, [[...new Set(ids)].map(bytesOf)]);
  const idByNumber = new Map(rows.map(({ number, id }) => [number, idOf(id)]));
  const baseOf = (number: string | null) =>
    number === null ? undefined : (idByNumber.get(number) ?? (number as ObjectId));
  return new Map(rows.map(({ id, base, data }) => [idOf(id), { base: baseOf(base), data }]));
}

/** Objects by id; what is missing is left out, what cannot be rebuilt is damaged. `unpacked` may know an object already. */
export async function readObjects(query: Query, ids: readonly ObjectId[], unpacked = rebuild) {
  const rows = await readRows(query, ids);
  const found = new Map<ObjectId, Uint8Array>();
  for (const id of ids.filter((each) => rows.has(each))) {
    const bytes = unpacked(id, rows);
    if (bytes === undefined) throw damagedObject(id);
    found.set(id, bytes);
  }
  return found;
}

/** Empties a list of objects; whoever reads them may add to it. */
export async function* readEach(query: Query, ids: ObjectId[]): AsyncGenerator<FoundObject> {
  while (ids.length > 0) {
    const some = ids.splice(-READ_AT_ONCE);
    const rows = await readRows(query, some);
    for (const id of some) yield [id, rebuild(id, rows)];
  }
}

/** Much longer than any that is written: whoever damaged the store may have made a chain without an end. */
const LONGEST_CHAIN = 1_000;

/** Undefined when a part of the chain is missing or damaged beyond reading. */
export function rebuild(id: ObjectId, rows: ObjectRows, depth = 0): Uint8Array | undefined {
  const row = rows.get(id);
  if (row === undefined || depth > LONGEST_CHAIN) return undefined;
  const base = row.base && rebuild(row.base, rows, depth + 1);
  return row.base && !base ? undefined : unpack(row.data, base);
}

export const idOf = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex") as ObjectId;
export const optionalId = (bytes: Uint8Array | null | undefined) => (bytes ? idOf(bytes) : undefined);
export const bytesOf = (id: ObjectId) => Buffer.from(id, "hex");
export const optionalBytes = (id: ObjectId | undefined) => (id === undefined ? null : bytesOf(id));
