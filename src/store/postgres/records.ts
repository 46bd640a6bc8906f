import { createHash } from "node:crypto";

import { CheckpointError } from "../../errors.ts";
import type { ObjectId } from "../../objects/object-id.ts";
import type { Damage, ForeignName, Records } from "../contract.ts";
import { recordDamage } from "../damage.ts";
import { noSuchCheckpoint, trailRemoved } from "../refusals.ts";
import { assertText, type Query } from "./database.ts";
import { bytesOf, idOf } from "./object-rows.ts";

interface RecordRow {
  readonly checkpoint: Uint8Array;
  readonly key: string;
  readonly hash: Uint8Array;
  readonly value: Uint8Array;
}

export async function attachRecords(
  query: Query,
  to: ObjectId | ForeignName,
  records: Records,
  ifAbsent: boolean,
): Promise<void> {
  const [id, name] = typeof to === "string" ? [to, undefined] : [undefined, to];
  assertText(name?.trail, name?.foreignId, ...records.keys());
  const [row] = await query<{ outcome: string }>("SELECT @attach($1, $2, $3, $4, $5, $6) AS outcome", [
    id === undefined ? null : bytesOf(id),
    name?.trail ?? null,
    name?.foreignId ?? null,
    [...records.keys()],
    [...records.values()],
    ifAbsent,
  ]);
  if (row?.outcome === "unknown") throw noSuchCheckpoint(id as ObjectId);
  if (row?.outcome === "removed") throw trailRemoved(name?.trail ?? "");
}

export async function readRecords(
  query: Query,
  checkpoints: readonly ObjectId[],
): Promise<Map<ObjectId, Map<string, Uint8Array>>> {
  const found = new Map<ObjectId, Map<string, Uint8Array>>();
  if (checkpoints.length === 0) return found;
  const rows = await query<RecordRow>(
    "SELECT checkpoint, key, hash, value FROM @records WHERE checkpoint = ANY ($1) ORDER BY key",
    [checkpoints.map(bytesOf)],
  );
  for (const row of rows) {
    const id = idOf(row.checkpoint);
    if (!isSound(row))
      throw new CheckpointError("corrupt", recordDamage(row.key, id).what, { hint: "checkpoint verify" });
    if (!found.has(id)) found.set(id, new Map());
    found.get(id)?.set(row.key, row.value);
  }
  return found;
}

/** What `verify` says of records: those whose bytes are not the ones that were attached. */
export async function damagedRecords(query: Query): Promise<Damage[]> {
  const rows = await query<RecordRow>("SELECT checkpoint, key, hash, value FROM @records");
  return rows
    .filter((row) => !isSound(row))
    .map(({ key, checkpoint }) => recordDamage(key, idOf(checkpoint)));
}

/** As the function record_hash in the schema. */
function isSound({ checkpoint, key, hash, value }: RecordRow): boolean {
  const expected = createHash("sha256")
    .update(`${idOf(checkpoint)}\n${key}\n`)
    .update(value);
  return expected.digest().subarray(0, 16).equals(hash);
}
