import type { NewObject } from "../../objects/object-format.ts";
import { objectIdOf, type ObjectId } from "../../objects/object-id.ts";
import type { Database } from "./database.ts";
import { readRows, rebuild } from "./object-rows.ts";
import type { Base } from "./packing.ts";

/** How many bytes of objects are remembered. */
const MAX_BYTES = 8 * 1024 * 1024;

/** The objects that were committed last, because the next ones are stored as changes of them. */
export class Bases {
  readonly #database: Database;
  readonly #remembered = new Map<ObjectId, Base>();
  #byteCount = 0;

  constructor(database: Database) {
    this.#database = database;
  }

  /** What the objects of a change can be compressed against; reads what is not remembered, in one round trip. */
  async load(objects: readonly NewObject[]): Promise<void> {
    const wanted = objects
      .map(({ predecessor }) => predecessor)
      .filter((id) => id !== undefined && !this.#remembered.has(id));
    if (wanted.length === 0) return;
    const rows = await readRows((text, values) => this.#database.read(text, values), wanted as ObjectId[]);
    for (const id of wanted as ObjectId[]) {
      const chain: Base[] = [];
      for (let row = rows.get(id); row; row = row.base === undefined ? undefined : rows.get(row.base)) {
        const bytes = rebuild(row.id, rows);
        // A damaged object is no base for others.
        if (bytes === undefined || objectIdOf(bytes) !== row.id) break;
        chain.push({ id: row.id, bytes, depth: row.depth });
      }
      const [base] = chain;
      const start = chain.at(-1);
      if (base && start) this.remember({ ...base, start: start === base ? undefined : start });
    }
  }

  get(id: ObjectId | undefined): Base | undefined {
    return id === undefined ? undefined : this.#remembered.get(id);
  }

  remember(base: Base): void {
    this.#remembered.delete(base.id);
    this.#remembered.set(base.id, base);
    this.#byteCount += base.bytes.length;
    for (const [id, { bytes }] of this.#remembered) {
      if (this.#byteCount <= MAX_BYTES) return;
      this.#remembered.delete(id);
      this.#byteCount -= bytes.length;
    }
  }

  forget(): void {
    this.#remembered.clear();
    this.#byteCount = 0;
  }
}
