import { isCheckpointError } from "../../errors.ts";
import { linksOf } from "../../objects/object-format.ts";
import { objectIdOf, type ObjectId } from "../../objects/object-id.ts";
import type { Damage, Progress, VerifyReport } from "../contract.ts";
import type { Connection } from "./connection.ts";
import { findRow, unpack } from "./object-rows.ts";
import { hexId } from "./read-checkpoints.ts";

/** How many objects are read before other work gets a turn. */
const READ_AT_ONCE = 200;

type Broken = Map<ObjectId, "damaged" | "missing">;

/** Reads every object and follows every link, head and parent. */
export async function verify(connection: Connection, { onProgress }: Progress = {}): Promise<VerifyReport> {
  const damage: Damage[] = structureDamage(connection);
  const broken: Broken = new Map();
  const references = new Map<string, ObjectId[]>();
  const counts = connection.read(() => countRows(connection));
  let done = 0;
  for (let after: Uint8Array | undefined = new Uint8Array(); after !== undefined; ) {
    const from: Uint8Array = after;
    const page = connection.read(() => verifyPage(connection, from, broken, references));
    done += page.read;
    onProgress?.(Math.min(done, counts.objects), counts.objects);
    after = page.last;
    await turn();
  }
  const checkpoints = connection.read(() => checkpointIds(connection));
  for (const [id, kind] of broken) {
    damage.push({ kind, object: id, what: `object ${id} is ${kind}`, costs: costsOf(id, references, checkpoints) });
  }
  damage.push(...connection.read(() => headDamage(connection)), ...connection.read(() => parentDamage(connection)));
  return { ...counts, damage };
}

/** What SQLite itself finds wrong with its pages. */
function structureDamage(connection: Connection): Damage[] {
  try {
    const rows = connection.read(() => connection.sql("PRAGMA integrity_check(20)").all()) as { integrity_check: string }[];
    return rows
      .filter((row) => row.integrity_check !== "ok")
      .map((row) => ({ kind: "index", what: `the file: ${row.integrity_check}`, costs: [] }));
  } catch (error) {
    if (!isCheckpointError(error, "corrupt")) throw error;
    return [{ kind: "index", what: `the file: ${String(error.details.sqlite ?? error.message)}`, costs: [] }];
  }
}

function countRows(connection: Connection): Pick<VerifyReport, "objects" | "checkpoints" | "trails"> {
  const count = (table: string) =>
    Number((connection.sql(`SELECT count(*) AS n FROM ${table}`).get() as { n: number }).n);
  return { objects: count("ids"), checkpoints: count("checkpoints"), trails: count("trails WHERE head IS NOT NULL") };
}

function verifyPage(connection: Connection, after: Uint8Array, broken: Broken, references: Map<string, ObjectId[]>) {
  const rows = connection
    .sql("SELECT hash, object FROM ids WHERE hash > ? ORDER BY hash LIMIT ?")
    .all(after, READ_AT_ONCE) as unknown as { hash: Uint8Array; object: number }[];
  const memo = new Map<number, Uint8Array>();
  for (const { hash, object } of rows) {
    const prefix = hexId(hash);
    const bytes = unpack(connection, object, memo);
    const id = bytes && objectIdOf(bytes);
    if (bytes === undefined || id === undefined || !id.startsWith(prefix)) {
      broken.set(prefix, "damaged");
      continue;
    }
    const links = linksOf(bytes);
    for (const link of links) {
      const list = references.get(keyPart(link));
      if (list) list.push(id);
      else references.set(keyPart(link), [id]);
      if (findRow(connection, link) === undefined && !broken.has(keyPart(link))) broken.set(link, "missing");
    }
  }
  return { read: rows.length, last: rows.length < READ_AT_ONCE ? undefined : (rows.at(-1) as { hash: Uint8Array }).hash };
}

/** The checkpoints from which a broken object is reached. */
function costsOf(broken: ObjectId, references: ReadonlyMap<string, readonly ObjectId[]>, checkpoints: ReadonlyMap<string, ObjectId>): ObjectId[] {
  const costs = new Set<ObjectId>();
  const seen = new Set<string>([keyPart(broken)]);
  for (const key of seen) {
    const checkpoint = checkpoints.get(key);
    if (checkpoint) costs.add(checkpoint);
    for (const referrer of references.get(key) ?? []) seen.add(keyPart(referrer));
  }
  return [...costs];
}

/** The index knows the first half of an id. */
const keyPart = (id: ObjectId) => id.slice(0, 32) as ObjectId;

function checkpointIds(connection: Connection): Map<string, ObjectId> {
  const rows = connection
    .sql("SELECT hash FROM checkpoints JOIN ids USING (object)")
    .all() as unknown as { hash: Uint8Array }[];
  return new Map(rows.map(({ hash }) => [hexId(hash), hexId(hash)]));
}

function headDamage(connection: Connection): Damage[] {
  const rows = connection
    .sql(
      `SELECT name, head, EXISTS (
         SELECT 1 FROM ids JOIN checkpoints USING (object) WHERE hash = substr(head, 1, 16) AND checkpoints.trail = trails.id
       ) AS found, EXISTS (SELECT 1 FROM checkpoints WHERE trail = trails.id) AS used FROM trails`,
    )
    .all() as unknown as { name: string; head: Uint8Array | null; found: number; used: number }[];
  return rows
    .filter(({ head, found, used }) => (head === null ? used === 1 : found === 0))
    .map(({ name, head }) => ({
      kind: "head",
      what: head === null ? `trail "${name}" has lost its head` : `the head of trail "${name}" is no checkpoint of it`,
      costs: [],
    }));
}

/** A parent is present or has a tombstone; anything else was lost. The checkpoint itself still loads. */
function parentDamage(connection: Connection): Damage[] {
  const rows = connection
    .sql(
      `SELECT parent, trails.name AS name FROM checkpoints JOIN trails ON trails.id = trail WHERE parent IS NOT NULL
       AND NOT EXISTS (SELECT 1 FROM ids WHERE hash = substr(parent, 1, 16))
       AND NOT EXISTS (SELECT 1 FROM tombstones WHERE hash = parent)`,
    )
    .all() as unknown as { parent: Uint8Array; name: string }[];
  return rows.map(({ parent, name }) => ({
    kind: "missing",
    object: hexId(parent),
    what: `checkpoint ${hexId(parent)}, a parent in trail "${name}", is neither there nor was it pruned`,
    costs: [],
  }));
}

const turn = () => new Promise((resolve) => setImmediate(resolve));
