import { isCheckpointError } from "../../errors.ts";
import { objectIdOf, type ObjectId } from "../../objects/object-id.ts";
import type { Damage, Progress, VerifyReport } from "../contract.ts";
import { damageAmong, type FoundObject } from "../damage.ts";
import { checkpointIds } from "./checkpoint-ids.ts";
import type { Connection } from "./connection.ts";
import { unpack } from "./object-rows.ts";
import { hexId } from "./read-checkpoints.ts";

/** How many objects are read at one moment of the store. */
const PAGE = 500;

/** Reads every object and follows every link, head and parent. */
export async function verify(connection: Connection, { onProgress }: Progress = {}): Promise<VerifyReport> {
  const structure = structureDamage(connection);
  const checkpoints = connection.read(() => checkpointIds(connection));
  const objects = countRows(connection, "ids");
  const found = damageAmong(
    everyObject(connection, (done) => onProgress?.(Math.min(done, objects), objects)),
    new Set(checkpoints.map(({ id }) => id)),
  );
  return {
    objects,
    checkpoints: new Set(checkpoints.map(({ id }) => id)).size,
    trails: countRows(connection, "trails WHERE head IS NOT NULL"),
    damage: [...structure, ...withFullNames(withCostsOfNow(connection, found)), ...headDamage(connection), ...parentDamage(connection)],
  };
}

/** What SQLite itself finds wrong with its pages. */
function structureDamage(connection: Connection): Damage[] {
  const damage = (what: string): Damage => ({
    kind: "index",
    what: `The file is damaged: ${what}.`,
    costs: [],
  });
  try {
    const rows = connection.read(() => connection.sql("PRAGMA integrity_check(20)").all());
    return rows
      .map((row) => String(row.integrity_check))
      .filter((text) => text !== "ok")
      .map(damage);
  } catch (error) {
    if (!isCheckpointError(error, "corrupt")) throw error;
    return [damage(error.cause instanceof Error ? error.cause.message : error.message)];
  }
}

function countRows(connection: Connection, table: string): number {
  return connection.read(() => Number(connection.sql(`SELECT count(*) AS n FROM ${table}`).get()?.n));
}

/** All objects, page by page, so that writers are not kept waiting. A damaged one goes by the half id of the index. */
function* everyObject(connection: Connection, onPage: (done: number) => void): Generator<FoundObject> {
  let done = 0;
  for (let after: Uint8Array | undefined = new Uint8Array(); after;) {
    const from: Uint8Array = after;
    const page = connection.read(() => readPage(connection, from));
    yield* page.objects;
    after = page.last;
    done += page.objects.length;
    onPage(done);
  }
}

function readPage(
  connection: Connection,
  after: Uint8Array,
): { objects: FoundObject[]; last: Uint8Array | undefined } {
  const rows = connection
    .sql("SELECT hash, object FROM ids WHERE hash > ? ORDER BY hash LIMIT ?")
    .all(after, PAGE) as unknown as { hash: Uint8Array; object: number }[];
  const memo = new Map<number, Uint8Array>();
  const objects = rows.map(({ hash, object }): FoundObject => {
    const half = hexId(hash);
    const bytes = unpack(connection, object, memo);
    const id = bytes && objectIdOf(bytes);
    return id?.startsWith(half) ? [id, bytes] : [half, undefined];
  });
  return { objects, last: rows.at(-1)?.hash };
}

/** A checkpoint that was pruned while we looked costs nothing any more. */
function withCostsOfNow(connection: Connection, found: readonly Damage[]): Damage[] {
  if (found.length === 0) return [];
  const left = new Set(connection.read(() => checkpointIds(connection)).map(({ id }) => id));
  return found.map((damage) => ({ ...damage, costs: damage.costs.filter((id) => left.has(id)) }));
}

/**
 * A damaged object is found under half its id, and is missing under the full one, if anybody needs it: these
 * two are one damage. What is missing and costs nothing was being swept away while we looked.
 */
function withFullNames(found: readonly Damage[]): Damage[] {
  const missing = found.filter(({ kind, costs }) => kind === "missing" && costs.length > 0);
  const damaged = found.filter(({ kind }) => kind === "damaged");
  const merged = damaged.map((damage): Damage => {
    const wanted = missing.find(({ object }) => object?.startsWith(damage.object as ObjectId));
    if (wanted === undefined) return damage;
    return {
      ...damage,
      object: wanted.object as ObjectId,
      costs: wanted.costs,
      what: `Object ${wanted.object} is damaged.`,
    };
  });
  const named = new Set(merged.map(({ object }) => object));
  return [...merged, ...missing.filter(({ object }) => !named.has(object))];
}

function headDamage(connection: Connection): Damage[] {
  const rows = connection.read(() =>
    connection
      .sql(
        `SELECT name FROM trails WHERE head IS NOT NULL AND NOT EXISTS (
           SELECT 1 FROM ids JOIN checkpoints USING (object) WHERE hash = substr(head, 1, 16) AND trail = trails.id
         )`,
      )
      .all(),
  );
  return rows.map(({ name }) => ({
    kind: "head",
    what: `The head of trail "${String(name)}" is no checkpoint of it.`,
    costs: [],
  }));
}

/** A parent is present or has a tombstone; anything else was lost. The checkpoint itself still loads. */
function parentDamage(connection: Connection): Damage[] {
  const rows = connection.read(() =>
    connection
      .sql(
        `SELECT DISTINCT parent FROM checkpoints AS child WHERE parent IS NOT NULL
         AND NOT EXISTS (SELECT 1 FROM ids WHERE hash = substr(child.parent, 1, 16))
         AND NOT EXISTS (SELECT 1 FROM tombstones WHERE hash = child.parent)`,
      )
      .all(),
  );
  return rows.map(({ parent }) => {
    const object = hexId(parent as Uint8Array);
    return {
      kind: "missing",
      object,
      what: `Checkpoint ${object}, a parent, is neither there nor was it pruned.`,
      costs: [],
    };
  });
}
