import { infoOrDamage } from "../../checkpoints/document.ts";
import type { ObjectId } from "../../objects/object-id.ts";
import type { Damage, Progress, Store } from "../../store/contract.ts";
import { findRollback } from "../anchor.ts";
import type { Project } from "../project.ts";
import { damagedTrails } from "../looking/newest-whole.ts";
import { repair } from "./repair.ts";

export interface VerifyInput extends Progress {
  /** Lets trails with a damaged head go on from their newest whole checkpoint. */
  readonly repair?: boolean | undefined;
}

/** Checks every byte of the store against its hash. */
export async function verify(project: Project, input: VerifyInput) {
  const repaired = input.repair ? await repair(project) : null;
  const cairn = await project.stores.open(project, "read");
  const report = await cairn.verify({ onProgress: input.onProgress });
  const rollback = findRollback(project);
  const damage: Damage[] = [
    ...report.damage,
    ...(rollback === undefined ? [] : [{ kind: "rollback" as const, what: rollback, costs: [] }]),
  ];
  const lost = report.damage.flatMap(({ costs }) => costs);
  const damaged_trails = report.damage.length === 0 ? [] : await damagedTrails(cairn);
  return { ...report, damage, names: await namesOf(cairn.store, lost), damaged_trails, repaired };
}

async function namesOf(store: Store, ids: readonly ObjectId[]): Promise<Map<ObjectId, string>> {
  const names = new Map<ObjectId, string>();
  for (const id of new Set(ids)) {
    const [stored] = await store.find({ idPrefix: id, limit: 1 });
    if (stored !== undefined) names.set(id, infoOrDamage(stored).checkpoint_id);
  }
  return names;
}
