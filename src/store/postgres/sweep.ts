import { linksOf } from "../../objects/object-format.ts";
import { objectIdOf, type ObjectId } from "../../objects/object-id.ts";
import type { Progress, SweepResult } from "../contract.ts";
import { nothingSwept } from "../damage.ts";
import { packTightly } from "../packing.ts";
import type { Database, Query } from "./database.ts";
import { lockNumber } from "./migrate.ts";
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
    await guard("SELECT pg_advisory_xact_lock($1)", [lockNumber(database.schema) + 1]);
    const [boundary] = await database.read<Boundary>("SELECT * FROM @boundary()");
    const marking = new Marking(boundary as Boundary);
    const garbage = await marking.findGarbage(database.read);
    const sizes: number[] = [];
    for (let at = 0; at < garbage.length;) {
      const batch = batchFrom(garbage, at);
      await marking.catchUp(database.read);
      // The lock that keeps other sweeps away must still be held.
      await guard("SELECT 1");
      const freed = await database.transaction("BEGIN; SELECT @enter(true)", async (query) => {
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

interface Boundary {
  readonly number: string;
  readonly sequence: string;
}

interface BornRow {
  readonly id: Uint8Array;
  readonly base: string | null;
  readonly number: string;
}

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
  /** For the number of each base, the objects that are stored as a change of it. */
  readonly dependents = new Map<string, Set<ObjectId>>();
  readonly #start: Boundary;

  constructor(start: Boundary) {
    this.#start = start;
  }

  /** Marks what the checkpoints from before the sweep reach. Returns the other objects from before it, the youngest first. */
  async findGarbage(query: Query): Promise<BornRow[]> {
    const { number, sequence } = this.#start;
    await this.#reach(
      query,
      await query("SELECT DISTINCT id FROM @checkpoints WHERE sequence <= $1", [sequence]),
    );
    const rows = await query<BornRow>("SELECT * FROM @objects_before($1)", [number]);
    this.#noteBases(rows);
    return rows.filter(({ id }) => !this.live.has(idOf(id)));
  }

  /**
   * Marks what came since the last look: every new object, whether its checkpoint was removed again or not, because another
   * commit may build on it; and checkpoints that were committed again, which bring no new object.
   */
  async catchUp(query: Query): Promise<void> {
    const { number, sequence } = this.#start;
    const objects = await query<BornRow>("SELECT id, base, number FROM @objects WHERE number >= $1", [
      number,
    ]);
    this.#noteBases(objects);
    await this.#reach(query, objects);
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

  #noteBases(rows: readonly BornRow[]): void {
    for (const { id, base } of rows) {
      if (base === null) continue;
      const known = this.dependents.get(base);
      if (known) known.add(idOf(id));
      else this.dependents.set(base, new Set([idOf(id)]));
    }
  }
}

/** Deletes what is still dead. Returns the length of each. */
async function deleteBatch(query: Query, marking: Marking, batch: readonly BornRow[]) {
  const dead = batch.filter(({ id }) => !marking.live.has(idOf(id)));
  const dependents = dead
    .flatMap(({ number }) => [...(marking.dependents.get(number) ?? [])])
    .filter((id) => marking.live.has(id));
  for (const [id, bytes] of await readObjects(query, dependents))
    await query("UPDATE @objects SET base = NULL, data = $2 WHERE id = $1", [
      bytesOf(id),
      packTightly(bytes).data,
    ]);
  return query<{ bytes: number }>(
    "DELETE FROM @objects WHERE id = ANY ($1) RETURNING octet_length(data) AS bytes",
    [dead.map(({ id }) => id)],
  );
}
