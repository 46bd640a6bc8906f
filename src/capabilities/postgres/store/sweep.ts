import { linksOf } from "../../../core/objects/object-format.ts";
import { objectIdOf, type ObjectId } from "../../../core/objects/object-id.ts";
import type { Progress, SweepResult } from "../../../core/store/contract.ts";
import { nothingSwept } from "../../../core/store/damage.ts";
import { pack } from "../../../core/store/packing.ts";
import type { Database, Query } from "./database.ts";
import { UPKEEP_LOCK } from "./functions.ts";
import { bytesOf, idOf, readEach, readObjects } from "./object-rows.ts";

/** About how many objects one transaction deletes: writers wait meanwhile. */
const BATCH = 500;

/**
 * Deletes what no checkpoint reaches. Marks beside commits, then deletes in short transactions during which nobody commits,
 * each after marking what was committed since. The youngest go first, and what was born together goes together, so that what
 * is left never refers to something deleted, wherever a sweep is killed.
 */
export async function sweep(database: Database, { onProgress }: Progress = {}): Promise<SweepResult> {
  // An open transaction keeps other sweeps away: it ends with this process, whatever happens.
  return database.repeatable("BEGIN", async (guard) => {
    await guard(`SELECT pg_advisory_xact_lock(${UPKEEP_LOCK})`);
    const [boundary] = await database.read<Boundary>("SELECT * FROM @boundary()");
    const marking = new Marking(boundary as Boundary);
    const garbage = await marking.findGarbage(database.read);
    const sizes: number[] = [];
    for (let at = 0; at < garbage.length;) {
      const batch = batchFrom(garbage, at);
      await marking.catchUp(database.read);
      // The lock that keeps other sweeps away must still be held.
      await guard("SELECT 1");
      const freed = await database.repeatable("BEGIN; SELECT @enter(true)", async (query) => {
        await marking.catchUp(query);
        return deleteBatch(query, marking, batch);
      });
      sizes.push(...freed.map(({ bytes }) => bytes));
      at += batch.length;
      onProgress?.(at, garbage.length);
    }
    return { objectsDeleted: sizes.length, bytesFreed: sizes.reduce((sum, size) => sum + size, 0) };
  });
}

type Boundary = Readonly<Record<"number" | "sequence", string>>;
type BornRow = { readonly id: Uint8Array; readonly base: string | null; readonly number: string };

/** Shared by what was committed together, which is deleted together. */
const birthOf = (row: BornRow | undefined) => row && BigInt(row.number) >> 20n;

function batchFrom(garbage: readonly BornRow[], start: number): readonly BornRow[] {
  let end = Math.min(start + BATCH, garbage.length);
  while (end < garbage.length && birthOf(garbage[end]) === birthOf(garbage[end - 1])) end++;
  return garbage.slice(start, end);
}

/** Which objects are reachable. Grows with every commit that lands while the sweep is at work. */
class Marking {
  readonly live = new Set<ObjectId>();
  #older = new Map<string | null, readonly BornRow[]>();
  #newer: readonly BornRow[] = [];
  readonly #start: Boundary;

  constructor(start: Boundary) {
    this.#start = start;
  }

  /** Marks what the checkpoints from before the sweep reach. Returns the other objects from before it, the youngest first. */
  async findGarbage(query: Query): Promise<BornRow[]> {
    const { number, sequence } = this.#start;
    const kept = "SELECT DISTINCT id FROM @checkpoints WHERE sequence <= $1";
    await this.#reach(query, await query(kept, [sequence]));
    const rows = await query<BornRow>("SELECT * FROM @objects_before($1)", [number]);
    this.#older = Map.groupBy(rows, ({ base }) => base);
    return rows.filter(({ id }) => !this.live.has(idOf(id)));
  }

  /**
   * Marks what came since the last look: every new object, whether its checkpoint was removed again or not, because another
   * commit may build on it; and checkpoints that were committed again, which bring no new object.
   */
  async catchUp(query: Query): Promise<void> {
    const { number, sequence } = this.#start;
    this.#newer = await query("SELECT id, base, number FROM @objects WHERE number >= $1", [number]);
    await this.#reach(query, this.#newer);
    await this.#reach(query, await query("SELECT id FROM @checkpoints WHERE sequence > $1", [sequence]));
  }

  async #reach(query: Query, starts: readonly { readonly id: Uint8Array }[]): Promise<void> {
    const todo: ObjectId[] = [];
    const mark = (id: ObjectId) => {
      if (!this.live.has(id)) todo.push(id);
      this.live.add(id);
    };
    for (const { id } of starts) mark(idOf(id));
    for await (const [id, bytes] of readEach(query, todo)) {
      if (bytes === undefined || objectIdOf(bytes) !== id)
        throw nothingSwept(`object ${id} is damaged or missing`);
      linksOf(bytes).forEach(mark);
    }
  }

  /** The live objects that are stored as changes of these. */
  dependentsOf(rows: readonly BornRow[]): ObjectId[] {
    const bases = new Set<string | null>(rows.map(({ number }) => number));
    const older = rows.flatMap(({ number }) => this.#older.get(number) ?? []);
    const newer = this.#newer.filter(({ base }) => bases.has(base));
    return [...older, ...newer].map(({ id }) => idOf(id)).filter((id) => this.live.has(id));
  }
}

const STORE_WHOLE = "UPDATE @objects SET base = NULL, data = $2 WHERE id = $1";
const DELETE = "DELETE FROM @objects WHERE id = ANY ($1) RETURNING octet_length(data) AS bytes";

/** Deletes what is still dead. Returns the length of each. */
async function deleteBatch(query: Query, marking: Marking, batch: readonly BornRow[]) {
  const dead = batch.filter(({ id }) => !marking.live.has(idOf(id)));
  for (const [id, bytes] of await readObjects(query, marking.dependentsOf(dead)))
    await query(STORE_WHOLE, [bytesOf(id), pack(bytes).data]);
  return query<{ bytes: number }>(DELETE, [dead.map(({ id }) => id)]);
}
