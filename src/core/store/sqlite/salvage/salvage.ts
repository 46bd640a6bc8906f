import type { JsonObject } from "../../../objects/json.ts";
import { objectIdOf, type ObjectId } from "../../../objects/object-id.ts";
import type { StoreIdentity } from "../../contract.ts";
import { chainEntries, toLogEntry } from "../../log-chain.ts";
import { MAX_CHAIN, unpack } from "../../packing.ts";
import { isStoreId } from "../../store-id.ts";
import { recordHash } from "../records.ts";
import { type FoundPage, StorePages } from "./pages.ts";
import { type FoundRow, rowsIn, type Value } from "./rows.ts";

/** Where a checkpoint stood. */
export interface FoundPlace {
  readonly key: string;
  readonly sequence: number;
  readonly trail: string | undefined;
  readonly foreignId: string | undefined;
}

interface ObjectSource {
  readonly page: FoundPage;
  readonly rowid: number;
}

const isBlob = (value: Value | undefined, bytes?: number): value is Uint8Array =>
  value instanceof Uint8Array && (bytes === undefined || value.length === bytes);
const isNumber = (value: Value | undefined): value is number => typeof value === "number";
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");

/**
 * What can still be read of a damaged store, page by page, whatever became of the rest. It only reads. Nothing that it gives is
 * to be trusted before it was checked: objects by their names, the log by its chain, records by their hashes.
 */
export class Salvage {
  readonly #pages: StorePages;
  /** By half their ids: the rows that objects may be in. Forks are listed in the same form, so not all of them are right. */
  readonly #rows = new Map<string, Set<number>>();
  readonly #objects = new Map<number, ObjectSource[]>();
  readonly #places = new Map<number, { trail: number; key: string; foreignId: string | undefined }>();
  readonly #trails = new Map<number, { name: string; head: ObjectId | undefined; isRemoved: boolean }>();
  readonly #records = new Map<number, Map<string, { hash: string; value: Uint8Array }>>();
  readonly #log = new Map<number, { text: string; hash: string }>();
  readonly #pruned = new Set<string>();
  #storeId: string | undefined;
  #storeKey: Uint8Array | undefined;

  constructor(store: string) {
    this.#pages = new StorePages(store);
    for (const page of this.#pages.all()) for (const row of rowsIn(this.#pages, page)) this.#take(row, page);
    this.#nameObjects();
  }

  close(): void {
    this.#pages.close();
  }

  /** Undefined if its row is damaged. */
  get identity(): StoreIdentity | undefined {
    const [id, key] = [this.#storeId, this.#storeKey];
    return id === undefined || key === undefined ? undefined : { id, key };
  }

  /** Every checkpoint that a row names; the same one may stand in several trails. */
  places(): FoundPlace[] {
    return [...this.#places]
      .map(([sequence, { trail, key, foreignId }]) => ({
        sequence,
        key,
        foreignId,
        trail: this.#trails.get(trail)?.name,
      }))
      .toSorted((one, other) => one.sequence - other.sequence);
  }

  /** By their names, the trails that were not removed, with their heads. */
  trails(): Map<string, ObjectId | undefined> {
    const kept = [...this.#trails.values()].filter(({ isRemoved }) => !isRemoved);
    return new Map(kept.map(({ name, head }) => [name, head]));
  }

  /** Whether a trail was removed on purpose, with its checkpoints. */
  isRemoved = (trail: string) =>
    [...this.#trails.values()].some(({ name, isRemoved }) => name === trail && isRemoved);

  /** Whether a checkpoint was removed on purpose, so that it must not come back. */
  isPruned = (id: ObjectId) => this.#pruned.has(id);

  /** The full ids of all objects whose bytes are there. */
  *objectIds(): Generator<ObjectId> {
    for (const half of this.#rows.keys()) {
      const found = this.#readHalf(half);
      if (found) yield found.id;
    }
  }

  readObjects = async (ids: readonly ObjectId[]): Promise<Map<ObjectId, Uint8Array>> => {
    const found = ids.map((id) => [id, this.#readHalf(id.slice(0, 32))] as const);
    return new Map(found.flatMap(([id, read]) => (read?.id === id ? [[id, read.bytes] as const] : [])));
  };

  /** The records of a checkpoint that have the hash they should have. */
  recordsOf(id: ObjectId): Map<string, Uint8Array> {
    const key = id.slice(0, 32);
    const records = [...(this.#rows.get(key) ?? [])].flatMap((row) => [...(this.#records.get(row) ?? [])]);
    const sound = records.filter(([name, { hash, value }]) => hex(recordHash(key, name, value)) === hash);
    return new Map(sound.map(([name, { value }]) => [name, value]));
  }

  /** The entries of the log up to the first that is missing or damaged, and how many rows are left behind that. */
  log(): { entries: JsonObject[]; left: number } {
    const entries: JsonObject[] = [];
    const id = this.identity?.id;
    if (id === undefined) return { entries, left: this.#log.size };
    let before: { number: number; hash: string } | undefined;
    for (let number = 1; this.#log.has(number); number++) {
      const { text, hash } = this.#log.get(number) as { text: string; hash: string };
      try {
        const { entry } = toLogEntry({ number, text, hash });
        if (chainEntries(id, before, [entry])[0]?.hash !== hash) break;
        entries.push(entry);
      } catch {
        break;
      }
      before = { number, hash };
    }
    return { entries, left: this.#log.size - entries.length };
  }

  /** Tells the tables apart by what their columns hold: which table a page belongs to only its tree would tell. */
  #take({ rowid, values }: FoundRow, page: FoundPage): void {
    const [a, b, c, d] = values;
    if (rowid === undefined) {
      if (values.length === 2 && isBlob(a, 16) && isNumber(b)) this.#rowsOf(hex(a)).add(b);
      if (values.length === 2 && a === "store_id" && isStoreId(b)) this.#storeId = b;
      if (values.length === 2 && a === "store_key" && isBlob(b, 32)) this.#storeKey = b;
      if (values.length === 4 && isBlob(a, 32) && typeof c === "string") this.#pruned.add(hex(a));
    } else if (values.length === 4 && a === null && isBlob(d) && (b === null || isNumber(b))) {
      const known = this.#objects.get(rowid);
      if (known) known.push({ page, rowid });
      else this.#objects.set(rowid, [{ page, rowid }]);
    } else if (values.length === 4 && a === null && typeof b === "string" && isNumber(d)) {
      const head = isBlob(c, 32) ? (hex(c) as ObjectId) : undefined;
      this.#trails.set(rowid, { name: b, head, isRemoved: d === 1 });
    } else if (values.length === 4 && isNumber(a) && typeof b === "string" && isBlob(c) && isBlob(d)) {
      const records = this.#records.get(a) ?? new Map<string, { hash: string; value: Uint8Array }>();
      this.#records.set(a, records.set(b, { hash: hex(c), value: d }));
    } else if (values.length === 7 && a === null && isNumber(b) && isBlob(d, 16)) {
      const [, , , , , , foreignId] = values;
      const named = typeof foreignId === "string" ? foreignId : undefined;
      this.#places.set(rowid, { trail: b, key: hex(d), foreignId: named });
    } else if (values.length === 3 && a === null && typeof b === "string" && isBlob(c, 32)) {
      this.#log.set(rowid, { text: b, hash: hex(c) });
    }
  }

  #rowsOf(half: string): Set<number> {
    const rows = this.#rows.get(half) ?? new Set();
    this.#rows.set(half, rows);
    return rows;
  }

  /** Where the index of ids lacks an object, its bytes name it. */
  #nameObjects(): void {
    const named = new Set([...this.#rows.values()].flatMap((rows) => [...rows]));
    for (const row of this.#objects.keys()) {
      const bytes = named.has(row) ? undefined : this.#rebuild(row);
      if (bytes) this.#rowsOf(objectIdOf(bytes).slice(0, 32)).add(row);
    }
  }

  #readHalf(half: string): { id: ObjectId; bytes: Uint8Array } | undefined {
    for (const row of this.#rows.get(half) ?? []) {
      // The newest first: a row that was written anew is whole more often.
      for (const source of this.#objects.get(row)?.toReversed() ?? []) {
        const bytes = this.#rebuild(row, source);
        const id = bytes && objectIdOf(bytes);
        if (bytes && id?.startsWith(half)) return { id, bytes };
      }
    }
    return undefined;
  }

  #rebuild(row: number, source = this.#objects.get(row)?.at(-1), depth = 0): Uint8Array | undefined {
    if (source === undefined || depth > MAX_CHAIN) return undefined;
    const found = [...rowsIn(this.#pages, source.page)].find(({ rowid }) => rowid === source.rowid);
    const [, base, , data] = found?.values ?? [];
    if (!isBlob(data)) return undefined;
    if (!isNumber(base)) return unpack(data);
    const under = this.#rebuild(base, undefined, depth + 1);
    return under && unpack(data, under);
  }
}
