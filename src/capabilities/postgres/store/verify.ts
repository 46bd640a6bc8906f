import type { Progress, VerifyReport } from "../../../core/store/contract.ts";
import { DamageSearch, headDamage, parentDamage, recordDamage } from "../../../core/store/damage.ts";
import type { Database } from "./database.ts";
import { damageOfLog } from "./log.ts";
import { idOf, readEach } from "./object-rows.ts";

/** Trails whose heads are not among their checkpoints. */
const HEADS = `SELECT name FROM @trails AS t WHERE head IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM @checkpoints AS c WHERE c.id = head AND c.trail = t.id)`;

/** Parents that are neither there nor were removed. */
const PARENTS = `SELECT DISTINCT parent AS id FROM @checkpoints AS child WHERE parent IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM @checkpoints AS c WHERE c.id = child.parent)
  AND NOT EXISTS (SELECT 1 FROM @tombstones AS t WHERE t.id = child.parent)`;

/** Records whose bytes are not the ones that were attached. */
const RECORDS = "SELECT key, checkpoint FROM @records WHERE hash <> @record_hash(checkpoint, key, value)";

/** Reads everything as of one moment, beside commits and sweeps. */
export async function verify(database: Database, { onProgress }: Progress = {}): Promise<VerifyReport> {
  return database.repeatable("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", async (query) => {
    const idsIn = async (sql: string) => (await query<{ id: Uint8Array }>(sql)).map((row) => idOf(row.id));
    const ids = await idsIn("SELECT id FROM @objects");
    const objects = ids.length;
    const search = new DamageSearch();
    for await (const [id, bytes] of readEach(query, ids)) {
      search.add(id, bytes);
      onProgress?.(objects - ids.length, objects);
    }
    const checkpoints = await idsIn("SELECT DISTINCT id FROM @checkpoints");
    const heads = await query<{ name: string }>(HEADS);
    const records = await query<{ key: string; checkpoint: Uint8Array }>(RECORDS);
    const trails = await query("SELECT 1 FROM @trails WHERE head IS NOT NULL");
    const damage = [
      ...search.damage(checkpoints),
      ...heads.map(({ name }) => headDamage(name)),
      ...(await idsIn(PARENTS)).map(parentDamage),
      ...records.map(({ key, checkpoint }) => recordDamage(key, idOf(checkpoint))),
      ...(await damageOfLog(query)),
    ];
    return { objects, checkpoints: checkpoints.length, trails: trails.length, damage };
  });
}
