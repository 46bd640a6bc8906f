import { CheckpointError } from "../../errors.ts";
import { linksOf } from "../../objects/object-format.ts";
import { objectIdOf, type ObjectId } from "../../objects/object-id.ts";
import type { Progress, SweepResult } from "../contract.ts";
import type { Database, Query } from "./database.ts";
import { lockNumber } from "./migrate.ts";
import { bytesOf, idOf, readRows, rebuild } from "./object-rows.ts";
import { packTightly } from "../packing.ts";

/** About how many objects one transaction deletes: writers wait meanwhile. */
const BATCH = 500;

/** How many objects are read at once. */
const READ_AT_ONCE = 500;

/**
 * Deletes what no checkpoint reaches. Marks beside commits, then deletes in short transactions during which nobody commits,
 * each after marking what was committed since. The youngest go first, and what was born together goes together, so that what
 * is left never refers to something deleted, wherever a sweep is killed.
 */
export async function sweep(database: Database, { onProgress }: Progress = {}): Promise<SweepResult> {
  // An open transaction keeps other sweeps away: it ends with this process, whatever happens.
  return database.patiently(() =>
    database.transaction("BEGIN", async (guard) => {
      await guard("SELECT pg_advisory_xact_lock($1)", [lockNumber(database.schema) + 1]);
      return sweepAlone(database, guard, onProgress);
    }),
  );
}

async function sweepAlone(
  database: Database,
  guard: Query,
  onProgress: Progress["onProgress"],
): Promise<SweepResult> {
  const { read } = database;
  const [boundary] = await read<Boundary>("SELECT * FROM @boundary()");
  const marking = new Marking(boundary as Boundary);
  await marking.markAll(read);
  const garbage = await marking.garbage(read);
  let objectsDeleted = 0;
  let bytesFreed = 0;
  for (let at = 0; at < garbage.length;) {
    const batch = batchFrom(garbage, at);
    await marking.catchUp(read);
    // The lock that keeps other sweeps away must still be held.
    await guard("SELECT 1");
    const deleted = await database.transaction("BEGIN; SELECT @enter(true)", async (query) => {
      await marking.catchUp(query);
      return deleteBatch(query, marking, batch);
    });
    objectsDeleted += deleted.count;
    bytesFreed += deleted.bytes;
    at += batch.length;
    onProgress?.(at, garbage.length);
  }
  return { objectsDeleted, bytesFreed };
}

interface Boundary {
  readonly number: string;
  readonly sequence: string;
}

interface GarbageRow {
  readonly id: ObjectId;
  readonly number: string;
}

/** Shared by what was committed together, which is deleted together. */
const birthOf = ({ number }: GarbageRow) => BigInt(number) >> 20n;

function batchFrom(garbage: readonly GarbageRow[], start: number): readonly GarbageRow[] {
  let end = Math.min(start + BATCH, garbage.length);
  while (
    end < garbage.length &&
    birthOf(garbage[end] as GarbageRow) === birthOf(garbage[end - 1] as GarbageRow)
  )
    end++;
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

  async markAll(query: Query): Promise<void> {
    const roots = await query<{ id: Uint8Array }>(
      "SELECT DISTINCT id FROM @checkpoints WHERE sequence <= $1",
      [this.#start.sequence],
    );
    await this.#reach(
      query,
      roots.map(({ id }) => idOf(id)),
    );
  }

  /** Everything from before the sweep that is not marked, the youngest first. */
  async garbage(query: Query): Promise<GarbageRow[]> {
    const rows = await query<BornRow>("SELECT * FROM @objects_before($1)", [this.#start.number]);
    for (const row of rows) this.#noteBase(row);
    return rows.map(({ id, number }) => ({ id: idOf(id), number })).filter(({ id }) => !this.live.has(id));
  }

  /**
   * Marks what came since the last look: every new object, whether its checkpoint was removed again or not, because another
   * commit may build on it; and checkpoints that were committed again, which bring no new object.
   */
  async catchUp(query: Query): Promise<void> {
    const objects = await query<BornRow>("SELECT id, base, number FROM @objects WHERE number >= $1", [
      this.#start.number,
    ]);
    const checkpoints = await query<{ id: Uint8Array; sequence: string }>(
      "SELECT id, sequence FROM @checkpoints WHERE sequence > $1",
      [this.#start.sequence],
    );
    for (const row of objects) this.#noteBase(row);
    await this.#reach(
      query,
      [...objects, ...checkpoints].map(({ id }) => idOf(id)),
    );
  }

  async #reach(query: Query, starts: readonly ObjectId[]): Promise<void> {
    const todo = new Set(starts.filter((id) => !this.live.has(id)));
    while (todo.size > 0) {
      const ids = [...todo].slice(0, READ_AT_ONCE);
      const rows = await readRows(query, ids);
      for (const id of ids) {
        todo.delete(id);
        this.live.add(id);
        for (const link of soundLinks(id, rebuild(id, rows))) if (!this.live.has(link)) todo.add(link);
      }
    }
  }

  #noteBase({ id, base }: BornRow): void {
    if (base === null) return;
    const known = this.dependents.get(base);
    if (known) known.add(idOf(id));
    else this.dependents.set(base, new Set([idOf(id)]));
  }
}

interface BornRow {
  readonly id: Uint8Array;
  readonly base: string | null;
  readonly number: string;
}

/** What a damaged object refers to cannot be known, so nothing may be deleted while there is one. */
function soundLinks(id: ObjectId, bytes: Uint8Array | undefined): readonly ObjectId[] {
  if (bytes !== undefined && objectIdOf(bytes) === id) return linksOf(bytes);
  throw new CheckpointError("corrupt", `Nothing was deleted, because object ${id} is damaged or missing.`, {
    hint: "checkpoint verify",
  });
}

async function deleteBatch(query: Query, marking: Marking, batch: readonly GarbageRow[]) {
  const dead = batch.filter(({ id }) => !marking.live.has(id));
  if (dead.length === 0) return { count: 0, bytes: 0 };
  const dependents = dead
    .flatMap(({ number }) => [...(marking.dependents.get(number) ?? [])])
    .filter((id) => marking.live.has(id));
  const rows = dependents.length === 0 ? new Map() : await readRows(query, dependents);
  for (const id of dependents) {
    const bytes = rebuild(id, rows);
    if (bytes === undefined) continue;
    await query("UPDATE @objects SET base = NULL, data = $2 WHERE id = $1", [
      bytesOf(id),
      packTightly(bytes).data,
    ]);
  }
  const deleted = await query<{ bytes: number }>(
    "DELETE FROM @objects WHERE id = ANY ($1) RETURNING octet_length(data) AS bytes",
    [dead.map(({ id }) => bytesOf(id))],
  );
  return { count: deleted.length, bytes: deleted.reduce((sum, { bytes }) => sum + bytes, 0) };
}
