import { statSync } from "node:fs";

import { CheckpointError } from "../../errors.ts";
import { linksOf } from "../../objects/object-format.ts";
import { objectIdOf, type ObjectId } from "../../objects/object-id.ts";
import type { Progress, SweepResult } from "../contract.ts";
import type { Connection } from "./connection.ts";
import { findRow, pack, unpack } from "./object-rows.ts";
import { idOfRow } from "./read-checkpoints.ts";

/** How many rows one transaction deletes: writers wait no longer than a few milliseconds. */
const BATCH = 500;

/** How many objects are marked before other work gets a turn. */
const MARKED_AT_ONCE = 200;

/** Deletes what no checkpoint reaches, newest first, so that nothing present ever refers to something deleted. */
export async function sweep(connection: Connection, { onProgress }: Progress = {}): Promise<SweepResult> {
  const before = sizeOnDisk(connection.path);
  const marking = new Marking(connection);
  while (connection.read(() => marking.step(MARKED_AT_ONCE))) await turn();
  const garbage = connection.read(() => marking.garbage());
  let deleted = 0;
  for (let start = 0; start < garbage.length; start += BATCH) {
    const batch = garbage.slice(start, start + BATCH);
    deleted += await connection.write(noPreparation, () => deleteBatch(connection, marking, batch));
    onProgress?.(Math.min(start + BATCH, garbage.length), garbage.length);
  }
  connection.maintain("PRAGMA incremental_vacuum");
  connection.maintain("PRAGMA wal_checkpoint(TRUNCATE)");
  return { objectsDeleted: deleted, bytesFreed: Math.max(0, before - sizeOnDisk(connection.path)) };
}

interface GarbageRow {
  readonly row: number;
  readonly key: Uint8Array;
}

/** Which rows are reachable. Grows with every commit that lands while the sweep is at work. */
class Marking {
  readonly #connection: Connection;
  readonly #live = new Set<number>();
  readonly #todo: number[] = [];
  /** For each base, the rows that are stored as a change of it. */
  readonly #dependents = new Map<number, number[]>();
  #lastCheckpoint = 0;
  #lastRow = 0;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  isLive(row: number): boolean {
    return this.#live.has(row);
  }

  dependentsOf(row: number): readonly number[] {
    return this.#dependents.get(row) ?? [];
  }

  /** Marks up to `count` objects; false when everything reachable is marked. */
  step(count: number): boolean {
    this.#findNew();
    const memo = new Map<number, Uint8Array>();
    for (let done = 0; done < count; done++) {
      const row = this.#todo.pop();
      if (row === undefined) return false;
      for (const link of linksOf(this.#read(row, memo))) this.#reach(findRow(this.#connection, link)?.row, link);
    }
    return true;
  }

  /** Everything that is not marked, newest first. */
  garbage(): GarbageRow[] {
    const rows = this.#connection
      .sql("SELECT object AS row, hash AS key FROM ids WHERE object <= ? ORDER BY object DESC")
      .all(this.#lastRow) as unknown as GarbageRow[];
    return rows.filter(({ row }) => !this.#live.has(row));
  }

  #findNew(): void {
    const checkpoints = this.#connection
      .sql("SELECT object FROM checkpoints WHERE object > ?")
      .all(this.#lastCheckpoint) as unknown as { object: number }[];
    for (const { object } of checkpoints) {
      this.#reach(object, undefined);
      this.#lastCheckpoint = Math.max(this.#lastCheckpoint, object);
    }
    const rows = this.#connection
      .sql("SELECT id, base FROM objects WHERE id > ?")
      .all(this.#lastRow) as unknown as { id: number; base: number | null }[];
    for (const { id, base } of rows) {
      this.#lastRow = Math.max(this.#lastRow, id);
      if (base === null) continue;
      const dependents = this.#dependents.get(base);
      if (dependents) dependents.push(id);
      else this.#dependents.set(base, [id]);
    }
  }

  #reach(row: number | undefined, id: ObjectId | undefined): void {
    if (row === undefined) throw damaged(`object ${id} is missing`);
    if (this.#live.has(row)) return;
    this.#live.add(row);
    this.#todo.push(row);
  }

  /** What a damaged object refers to cannot be known, so nothing may be deleted while there is one. */
  #read(row: number, memo: Map<number, Uint8Array>): Uint8Array {
    const bytes = unpack(this.#connection, row, memo);
    const id = idOfRow(this.#connection, row);
    if (bytes === undefined || !objectIdOf(bytes).startsWith(id)) throw damaged(`object ${id} is damaged`);
    return bytes;
  }
}

function deleteBatch(connection: Connection, marking: Marking, batch: readonly GarbageRow[]): number {
  // A commit since the last look may count on what was garbage then.
  while (marking.step(MARKED_AT_ONCE));
  let deleted = 0;
  for (const { row, key } of batch) {
    if (marking.isLive(row)) continue;
    for (const dependent of marking.dependentsOf(row)) if (marking.isLive(dependent)) storeWhole(connection, dependent);
    connection.sql("DELETE FROM ids WHERE hash = ?").run(key);
    connection.sql("DELETE FROM objects WHERE id = ?").run(row);
    deleted++;
  }
  connection.sql("UPDATE meta SET value = value + 1 WHERE key = 'sweeps'").run();
  return deleted;
}

/** Frees an object from its base, keeping its row. */
function storeWhole(connection: Connection, row: number): void {
  const bytes = unpack(connection, row, new Map());
  if (bytes === undefined) throw damaged(`object ${idOfRow(connection, row)} is damaged`);
  connection.sql("UPDATE objects SET base = NULL, depth = 0, data = ? WHERE id = ?").run(pack(bytes).data, row);
}

function damaged(what: string): CheckpointError {
  return new CheckpointError("corrupt", `Nothing was deleted, because ${what}.`, { hint: "checkpoint verify" });
}

function sizeOnDisk(path: string): number {
  return [path, `${path}-wal`].reduce((sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0), 0);
}

const noPreparation = async () => {};
const turn = () => new Promise((resolve) => setImmediate(resolve));
