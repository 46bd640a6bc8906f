import { CheckpointError } from "../../errors.ts";
import type { ObjectId } from "../../objects/object-id.ts";
import type { ForeignName, Records } from "../contract.ts";
import { recordDamage } from "../damage.ts";
import { noSuchCheckpoint, trailRemoved } from "../refusals.ts";
import { assertText, type Query } from "./database.ts";
import { bytesOf, idOf, optionalBytes } from "./object-rows.ts";

export async function attachRecords(
  query: Query,
  to: ObjectId | ForeignName,
  records: Records,
  ifAbsent: boolean,
): Promise<void> {
  const [id, name] = typeof to === "string" ? [to, undefined] : [undefined, to];
  assertText(name?.trail, name?.foreignId, ...records.keys());
  const named = [optionalBytes(id), name?.trail ?? null, name?.foreignId ?? null];
  const [row] = await query<{ outcome: string }>("SELECT @attach($1, $2, $3, $4, $5, $6) AS outcome", [
    ...named,
    [...records.keys()],
    [...records.values()],
    ifAbsent,
  ]);
  if (row?.outcome === "unknown") throw noSuchCheckpoint(id as ObjectId);
  if (row?.outcome === "removed") throw trailRemoved(name?.trail ?? "");
}

export async function readRecords(query: Query, checkpoints: readonly ObjectId[]) {
  const found = new Map<ObjectId, Map<string, Uint8Array>>();
  if (checkpoints.length === 0) return found;
  const rows = await query<{ checkpoint: Uint8Array; key: string; value: Uint8Array; sound: boolean }>(
    `SELECT checkpoint, key, value, hash = @record_hash(checkpoint, key, value) AS sound
     FROM @records WHERE checkpoint = ANY ($1) ORDER BY key`,
    [checkpoints.map(bytesOf)],
  );
  for (const { checkpoint, key, value, sound } of rows) {
    const id = idOf(checkpoint);
    if (!sound)
      throw new CheckpointError("corrupt", recordDamage(key, id).what, { hint: "checkpoint verify" });
    found.set(id, (found.get(id) ?? new Map<string, Uint8Array>()).set(key, value));
  }
  return found;
}
