import { linksOf, type NewObject } from "../../../core/objects/object-format.ts";
import { objectIdOf, type ObjectId } from "../../../core/objects/object-id.ts";
import { recentBases, unpack, type Base } from "../../../core/store/packing.ts";
import type { Database } from "./database.ts";
import { readObjects, readRows, rebuild, type ObjectRows } from "./object-rows.ts";

/** An object that others may be stored as changes of, and how many others must be read to rebuild it. */
export interface Ref {
  readonly id: ObjectId;
  readonly depth: number;
  /** What it refers to: all there as long as it is itself, because a sweep deletes nothing that something refers to. */
  readonly links: readonly ObjectId[];
  /** The whole object that its chain begins with; absent when it is whole itself. */
  readonly start?: Base<Ref> | undefined;
}

/** Longer than in a file, because one query reads a whole chain. */
const MAX_CHAIN = 64;

/** The objects that were committed or read last, because the next ones are stored as changes of them. */
export class Bases {
  readonly #database: Database;
  readonly #recent = recentBases<Base<Ref>>();

  constructor(database: Database) {
    this.#database = database;
  }

  /** Objects by id. They are remembered: what was just read is often what the next commit changes. */
  read(ids: readonly ObjectId[]): Promise<Map<ObjectId, Uint8Array>> {
    return readObjects(this.#database.read, ids, (id, rows) => {
      const known = this.#recall(id, rows);
      // Copied, because the caller may change what it gets.
      return known ? new Uint8Array(known.bytes) : rebuild(id, rows);
    });
  }

  /** Reads what the objects of a change can be compressed against and is not remembered, in one round trip. */
  async load(objects: readonly NewObject[]): Promise<void> {
    const wanted = objects.flatMap(({ predecessor: id }) => (id && !this.#recent.get(id) ? [id] : []));
    const rows = await readRows(this.#database.read, wanted);
    for (const id of wanted) this.#recall(id, rows);
  }

  /** Undefined for what is damaged: it is no base for others. */
  #recall(id: ObjectId, rows: ObjectRows): Base<Ref> | undefined {
    const known = this.#recent.get(id);
    const row = rows.get(id);
    if (known || row === undefined) return known;
    const base = row.base && this.#recall(row.base, rows);
    if (row.base && !base) return undefined;
    const bytes = unpack(row.data, base?.bytes);
    if (!bytes || objectIdOf(bytes) !== id) return undefined;
    return this.remember({ id, links: linksOf(bytes) }, bytes, base?.ref);
  }

  /** What the successor of an object is compressed against. A chain that is full goes on from its first object. */
  get(predecessor: ObjectId | undefined): Base<Ref> | undefined {
    const base = predecessor === undefined ? undefined : this.#recent.get(predecessor);
    return base && base.ref.depth >= MAX_CHAIN ? base.ref.start : base;
  }

  /** `from` is what the object is stored as a change of. */
  remember({ id, links }: Pick<Ref, "id" | "links">, bytes: Uint8Array, from: Ref | undefined): Base<Ref> {
    const start = from && (from.start ?? this.#recent.get(from.id));
    const base = { ref: { id, links, depth: from ? from.depth + 1 : 0, start }, bytes };
    this.#recent.set(id, base);
    return base;
  }
}
