import { linksOf } from "../../objects/object-format.ts";
import type { ObjectId } from "../../objects/object-id.ts";
import type { Progress, SweepResult } from "../contract.ts";
import { nothingSwept } from "../damage.ts";
import type { Connection } from "./connection.ts";
import { raiseCounter, readCounters } from "./known-objects.ts";
import { sizeOf } from "../private-files.ts";
import { findRow, hexId, readSound, rebuild, newWalkMemo, storeWhole } from "./object-rows.ts";

/** How many rows one transaction deletes: writers wait no longer than a few milliseconds. */
const BATCH = 500;

/** How many objects are marked before other work gets a turn. */
const MARKED_AT_ONCE = 200;

/**
 * Up to this size a sweep rewrites the store. Otherwise only whole pages come back, and what was deleted of one trail is
 * scattered among the rows of those that were written at the same time: 41 % came back of one of 50.
 */
const SMALL_STORE_BYTES = 64 * 1024 * 1024;

/** How often a sweep starts over because another one got ahead of it. */
const MAX_RESTARTS = 50;

/** Deletes what no checkpoint reaches, newest first, so that nothing present ever refers to something deleted. */
export async function sweep(connection: Connection, { onProgress }: Progress = {}): Promise<SweepResult> {
  const before = sizeOnDisk(connection.path);
  let objectsDeleted = 0;
  for (let restarts = 0; ; restarts++) {
    const { deleted, overtaken } = await sweepOnce(connection, onProgress);
    objectsDeleted += deleted;
    if (!overtaken || restarts === MAX_RESTARTS) break;
  }
  await connection.maintain("PRAGMA incremental_vacuum");
  if (objectsDeleted > 0 && sizeOnDisk(connection.path) < SMALL_STORE_BYTES)
    await connection.maintain("PRAGMA temp_store = MEMORY; VACUUM");
  await connection.maintain("PRAGMA wal_checkpoint(TRUNCATE)");
  return { objectsDeleted, bytesFreed: Math.max(0, before - sizeOnDisk(connection.path)) };
}

async function sweepOnce(connection: Connection, onProgress: Progress["onProgress"]) {
  const marking = connection.read(() => new Marking(connection));
  let deleted = 0;
  for (let isMarking = true; isMarking; await turn()) {
    isMarking = connection.read(() => !marking.isOvertaken() && marking.step(MARKED_AT_ONCE));
  }
  const garbage = connection.read(() => (marking.isOvertaken() ? [] : marking.garbage()));
  for (let start = 0; start < garbage.length && !marking.isOvertaken(); start += BATCH) {
    const batch = garbage.slice(start, start + BATCH);
    deleted += await connection.write(() => deleteBatch(connection, marking, batch));
    onProgress?.(Math.min(start + BATCH, garbage.length), garbage.length);
  }
  return { deleted, overtaken: connection.read(() => marking.isOvertaken()) };
}

interface ReachedRow {
  readonly row: number;
  readonly id: ObjectId;
}

interface GarbageRow {
  readonly row: number;
  readonly key: Uint8Array;
}

/** Which rows are reachable. Grows with every commit that lands while the sweep is at work. */
class Marking {
  readonly #connection: Connection;
  readonly live = new Set<number>();
  /** For each base, the rows that are stored as a change of it. */
  readonly dependents = new Map<number, number[]>();
  readonly #memo = newWalkMemo();
  /** What was reached, and those of it that are looked at now: the oldest last, which is the next. */
  #reached: ReachedRow[] = [];
  #round: ReachedRow[] = [];
  #lastSequence = 0;
  #lastRow = 0;
  #sweeps: number;

  constructor(connection: Connection) {
    this.#connection = connection;
    this.#sweeps = readCounters(connection).sweeps;
  }

  /** Whether another sweep has deleted something since: then what is marked may be gone. */
  isOvertaken(): boolean {
    return readCounters(this.#connection).sweeps !== this.#sweeps;
  }

  countSweep(): void {
    this.#connection.sql("UPDATE counters SET sweeps = sweeps + 1").run();
    this.#sweeps++;
  }

  /** Marks up to `count` objects; false when everything reachable is marked. */
  step(count: number): boolean {
    this.#findNew();
    for (let done = 0; done < count; done++) {
      const next = this.#round.pop() ?? this.#nextRound();
      if (next === undefined) return false;
      const sound = readSound(this.#connection, next.row, next.id, this.#memo);
      if (sound === undefined) throw nothingSwept(`object ${next.id} is damaged`);
      for (const link of linksOf(sound.bytes)) this.#reach(findRow(this.#connection, link)?.row, link);
    }
    return true;
  }

  /** In the order of rows: what an object is stored as a change of was looked at shortly before it. */
  #nextRound(): ReachedRow | undefined {
    this.#round = this.#reached.toSorted((a, b) => b.row - a.row);
    this.#reached = [];
    return this.#round.pop();
  }

  /** Everything that is not marked, newest first. */
  garbage(): GarbageRow[] {
    const rows = this.#connection
      .sql("SELECT object AS row, hash AS key FROM ids WHERE object <= ? ORDER BY object DESC")
      .all(this.#lastRow) as unknown as GarbageRow[];
    return rows.filter(({ row }) => !this.live.has(row));
  }

  #findNew(): void {
    const checkpoints = this.#connection
      .sql("SELECT sequence, object, key FROM checkpoints WHERE sequence > ?")
      .all(this.#lastSequence) as unknown as { sequence: number; object: number; key: Uint8Array }[];
    for (const { sequence, object, key } of checkpoints) {
      this.#reach(object, hexId(key));
      this.#lastSequence = Math.max(this.#lastSequence, sequence);
    }
    const rows = this.#connection
      .sql("SELECT id, base FROM objects WHERE id > ?")
      .all(this.#lastRow) as unknown as { id: number; base: number | null }[];
    for (const { id, base } of rows) {
      this.#lastRow = Math.max(this.#lastRow, id);
      if (base === null) continue;
      const dependents = this.dependents.get(base);
      if (dependents) dependents.push(id);
      else this.dependents.set(base, [id]);
    }
  }

  #reach(row: number | undefined, id: ObjectId): void {
    if (row === undefined) throw nothingSwept(`object ${id} is missing`);
    if (this.live.has(row)) return;
    this.live.add(row);
    this.#reached.push({ row, id });
  }
}

function deleteBatch(connection: Connection, marking: Marking, batch: readonly GarbageRow[]): number {
  if (marking.isOvertaken()) return 0;
  // A commit since the last look may count on what was garbage then.
  while (marking.step(MARKED_AT_ONCE));
  let deleted = 0;
  for (const { row, key } of batch) {
    if (marking.live.has(row)) continue;
    for (const dependent of marking.dependents.get(row) ?? [])
      if (marking.live.has(dependent)) freeFromBase(connection, dependent);
    connection.sql("DELETE FROM ids WHERE hash = ?").run(key);
    connection.sql("DELETE FROM objects WHERE id = ?").run(row);
    raiseCounter(connection, "last_row", row);
    deleted++;
  }
  if (deleted > 0) marking.countSweep();
  return deleted;
}

/** Frees an object from its base, keeping its row. */
function freeFromBase(connection: Connection, row: number): void {
  const bytes = rebuild(connection, row, new Map());
  if (bytes === undefined) throw nothingSwept(`the object in row ${row} is damaged`);
  storeWhole(connection, row, bytes);
}

function sizeOnDisk(path: string): number {
  return sizeOf(path) + sizeOf(`${path}-wal`);
}

const turn = () => new Promise((resolve) => setImmediate(resolve));
