import { isCheckpointError } from "../../errors.ts";
import type { ObjectId } from "../../objects/object-id.ts";
import type { Damage, Progress, VerifyReport } from "../contract.ts";
import { damageAmong, headDamage, parentDamage, type FoundObject } from "../damage.ts";
import { placesIn } from "./checkpoint-rows.ts";
import type { Connection } from "./connection.ts";
import { damageOfLog } from "./log.ts";
import { hexId, newWalkMemo, readSound, type Memo } from "./object-rows.ts";
import { damagedRecords } from "./records.ts";

/** How many objects are read at one moment of the store. */
const PAGE = 500;

/** Reads every object and follows every link, head and parent. What cannot even be read is damage too. */
export async function verify(connection: Connection, { onProgress }: Progress = {}): Promise<VerifyReport> {
  const damage: Damage[] = [];
  const reading = <T>(work: () => T, otherwise: T): T => {
    try {
      return connection.read(work);
    } catch (error) {
      if (!isCheckpointError(error, "corrupt")) throw error;
      damage.push(fileDamage(error.cause instanceof Error ? error.cause.message : error.message));
      return otherwise;
    }
  };
  damage.push(...reading(() => structureDamage(connection), []));
  const checkpointIds = () => new Set(reading(() => placesIn(connection, "1"), []).map(({ id }) => id));
  const checkpoints = checkpointIds();
  const count = (table: string) =>
    reading(() => Number(connection.sql(`SELECT count(*) AS n FROM ${table}`).get()?.n), 0);
  const places = reading(() => placesOfObjects(connection), []);
  const objects = places.length;
  const memo = newWalkMemo();
  const everything = everyObject(
    places,
    (page) => reading(() => readPlaces(connection, page, memo), []),
    (done) => onProgress?.(done, objects),
  );
  const found = damageAmong(everything, checkpoints);
  // A checkpoint that was pruned while we looked costs nothing any more.
  const left = found.length === 0 ? checkpoints : checkpointIds();
  damage.push(
    ...withFullNames(found.map((each) => ({ ...each, costs: each.costs.filter((id) => left.has(id)) }))),
  );
  for (const find of [damagedHeads, lostParents, damagedRecords, damageOfLog])
    damage.push(...reading(() => find(connection), []));
  return { objects, checkpoints: checkpoints.size, trails: count("trails WHERE head IS NOT NULL"), damage };
}

function fileDamage(what: string): Damage {
  return { kind: "index", what: `The file is damaged: ${what}.`, costs: [] };
}

/** What SQLite itself finds wrong with its pages. */
function structureDamage(connection: Connection): Damage[] {
  const rows = connection.sql("PRAGMA integrity_check(20)").all();
  return rows
    .map((row) => String(row.integrity_check))
    .filter((text) => text !== "ok")
    .map(fileDamage);
}

/** Where an object is. In a damaged file a key may be anything. */
interface Place {
  readonly half: ObjectId;
  readonly object: number;
}

/** In the order of rows: what an object is stored as a change of was rebuilt shortly before it. */
function placesOfObjects(connection: Connection): Place[] {
  const half = "iif(typeof(hash) = 'blob', lower(hex(hash)), '(key ' || quote(hash) || ')')";
  return connection
    .sql(`SELECT ${half} AS half, object FROM ids ORDER BY object`)
    .all() as unknown as Place[];
}

/** All objects, page by page, so that writers are not kept waiting. A damaged one goes by the half id of the index. */
function* everyObject(
  places: readonly Place[],
  readPage: (page: readonly Place[]) => FoundObject[],
  onPage: (done: number) => void,
): Generator<FoundObject> {
  for (let start = 0; start < places.length; start += PAGE) {
    yield* readPage(places.slice(start, start + PAGE));
    onPage(Math.min(start + PAGE, places.length));
  }
}

function readPlaces(connection: Connection, page: readonly Place[], memo: Memo): FoundObject[] {
  return page.flatMap(({ half, object }): FoundObject[] => {
    const sound = readSound(connection, object, half, memo);
    if (sound === undefined && !isStillThere(connection, object)) return [];
    return [[sound?.id ?? half, sound?.bytes]];
  });
}

/** A sweep may delete objects while we look. */
function isStillThere(connection: Connection, object: number): boolean {
  return connection.sql("SELECT 1 FROM ids WHERE object = ?").get(object) !== undefined;
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

function damagedHeads(connection: Connection): Damage[] {
  const rows = connection.sql(
    `SELECT name FROM trails WHERE head IS NOT NULL AND NOT EXISTS (
       SELECT 1 FROM ids JOIN checkpoints USING (object) WHERE hash = substr(head, 1, 16) AND trail = trails.id
     )`,
  );
  return rows.all().map(({ name }) => headDamage(String(name)));
}

function lostParents(connection: Connection): Damage[] {
  const rows = connection.sql(
    `SELECT DISTINCT parent FROM checkpoints AS child WHERE parent IS NOT NULL
       AND NOT EXISTS (SELECT 1 FROM ids JOIN checkpoints USING (object) WHERE hash = substr(child.parent, 1, 16))
       AND NOT EXISTS (SELECT 1 FROM tombstones WHERE hash = child.parent)`,
  );
  return rows.all().map(({ parent }) => parentDamage(hexId(parent as Uint8Array)));
}
