import type { Progress, VerifyReport } from "../contract.ts";
import { DamageSearch, headDamage, parentDamage } from "../damage.ts";
import type { Database } from "./database.ts";
import { damageOfLog } from "./log.ts";
import { idOf, readRows, rebuild } from "./object-rows.ts";
import { damagedRecords } from "./records.ts";

/** How many objects are read at once. */
const PAGE = 500;

/** Trails whose heads are not among their checkpoints. */
const HEADS = `SELECT name FROM @trails AS t WHERE head IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM @checkpoints AS c WHERE c.id = head AND c.trail = t.id)`;

/** Parents that are neither there nor were removed. */
const PARENTS = `SELECT DISTINCT parent FROM @checkpoints AS child WHERE parent IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM @checkpoints AS c WHERE c.id = child.parent)
  AND NOT EXISTS (SELECT 1 FROM @tombstones AS t WHERE t.id = child.parent)`;

/** Reads everything as of one moment, beside commits and sweeps. */
export async function verify(database: Database, { onProgress }: Progress = {}): Promise<VerifyReport> {
  return database.repeatable("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", async (query) => {
    const count = async (rest: string) => {
      const [row] = await query<{ n: string }>(`SELECT count(*) AS n FROM ${rest}`);
      return Number(row?.n);
    };
    const objects = await count("@objects");
    const roots = await query<{ id: Uint8Array }>("SELECT DISTINCT id FROM @checkpoints");
    const search = new DamageSearch();
    let done = 0;
    for (let after: Uint8Array = new Uint8Array(); ;) {
      const page = await query<{ id: Uint8Array }>(
        "SELECT id FROM @objects WHERE id > $1 ORDER BY id LIMIT $2",
        [after, PAGE],
      );
      const ids = page.map(({ id }) => idOf(id));
      const rows = await readRows(query, ids);
      for (const id of ids) search.add(id, rebuild(id, rows));
      done += ids.length;
      onProgress?.(done, objects);
      const last = page.at(-1);
      if (last === undefined || page.length < PAGE) break;
      after = last.id;
    }
    const damage = [
      ...search.damage(roots.map(({ id }) => idOf(id))),
      ...(await query<{ name: string }>(HEADS)).map(({ name }) => headDamage(name)),
      ...(await query<{ parent: Uint8Array }>(PARENTS)).map(({ parent }) => parentDamage(idOf(parent))),
      ...(await damagedRecords(query)),
      ...(await damageOfLog(query)),
    ];
    return {
      objects,
      checkpoints: roots.length,
      trails: await count("@trails WHERE head IS NOT NULL"),
      damage,
    };
  });
}
