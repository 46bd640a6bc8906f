import { CheckpointError } from "../../../core/errors.ts";
import type { ObjectId } from "../../../core/objects/object-id.ts";
import type { Store } from "../../../core/store/contract.ts";
import { recordDamage } from "../../../core/store/damage.ts";
import { assertWellFormed, noSuchCheckpoint, trailRemoved } from "../../../core/store/refusals.ts";
import type { Database, Query } from "./database.ts";
import { bytesOf, idOf, optionalBytes } from "./object-rows.ts";

export function recordsIn(database: Database): Pick<Store, "attach" | "attachments"> {
  return {
    async attach(to, records, { ifAbsent = false } = {}) {
      const [id, name] = typeof to === "string" ? [to, undefined] : [undefined, to];
      assertWellFormed(name?.trail, name?.foreignId, ...records.keys());
      const owner = [optionalBytes(id), name?.trail ?? null, name?.foreignId ?? null];
      const values = [...owner, [...records.keys()], [...records.values()], ifAbsent];
      // Once more does no harm: the same records are attached.
      const [row] = await database.patiently(() =>
        database.write<{ outcome: string }>("SELECT @attach($1, $2, $3, $4, $5, $6) AS outcome", values),
      );
      if (row?.outcome === "unknown") throw noSuchCheckpoint(id as ObjectId);
      if (row?.outcome === "removed") throw trailRemoved(name?.trail ?? "");
    },
    attachments: (checkpoints) => readRecords(database.read, checkpoints),
  };
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
