import { infoOrDamage } from "../../../core/trails/document.ts";
import type { ObjectId } from "../../../core/objects/object-id.ts";
import type { Damage, Progress, Store } from "../../../core/store/contract.ts";
import { RUN_TRAIL_PREFIX } from "../../state/run-trail.ts";
import { findRollback } from "../anchor.ts";
import { cleanNotes } from "../commit-work.ts";
import type { Project } from "../project.ts";
import { gatekeeperOf, isGoverned, type LedgerFindings } from "../gate.ts";
import type { Cairn } from "../../state/cairn.ts";
import { damagedTrails, newestWhole } from "../reading/newest-whole.ts";

export interface VerifyInput extends Progress {
  /** Lets trails with a damaged head continue from their newest whole checkpoint. */
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
  const names = await namesOf(cairn.store, lost);
  const { unfinished, ...recorded } = await compareWithLedger(project, cairn);
  return {
    ...report,
    damage,
    names,
    damaged_trails,
    unfinished,
    repaired,
    ...recorded,
  };
}

/** Where the project is governed: which checkpoints the ledger does not know, and which came from elsewhere. */
async function compareWithLedger(project: Project, cairn: Cairn): Promise<LedgerFindings> {
  if (!(await isGoverned(project, cairn))) return { unrecorded: [], brought: [], unfinished: [] };
  return (await gatekeeperOf(project)).verify(project, cairn);
}

async function namesOf(store: Store, ids: readonly ObjectId[]): Promise<Map<ObjectId, string>> {
  const names = new Map<ObjectId, string>();
  for (const id of new Set(ids)) {
    const [stored] = await store.find({ idPrefix: id, limit: 1 });
    if (stored !== undefined) names.set(id, infoOrDamage(stored).checkpoint_id);
  }
  return names;
}

/** What was done about a trail whose head is damaged. */
export interface RepairedTrail {
  readonly trail: string;
  /** The head that cannot be loaded. It stays in the history. */
  readonly damaged: string | null;
  /** The newest whole checkpoint, if there is one. */
  readonly whole: string | null;
  /** The new head, with the state of that one. Null when nothing was done. */
  readonly checkpoint_id: string | null;
  readonly reason: "run" | "nothing whole" | null;
}

/** Where a head is damaged, brings the state of the newest whole checkpoint back as a new head. Nothing is removed. */
async function repair(project: Project): Promise<RepairedTrail[]> {
  const cairn = await project.stores.open(project, "write", "keep.repair");
  const notes = await cleanNotes(project, "repair: the checkpoint before this one is damaged");
  const repaired: RepairedTrail[] = [];
  for (const trail of await damagedTrails(cairn)) {
    const found = await newestWhole(cairn, trail);
    const whole = found.whole?.checkpoint_id ?? null;
    // A run that goes back would do again what it has done.
    const reason = trail.startsWith(RUN_TRAIL_PREFIX) ? "run" : whole === null ? "nothing whole" : null;
    const checkpoint =
      reason === null && found.whole
        ? await cairn.trail(trail).restore(found.whole.content_hash, { ...notes, trigger: "repair" })
        : undefined;
    const damaged = found.damaged?.checkpoint_id ?? null;
    repaired.push({ trail, damaged, whole, checkpoint_id: checkpoint?.checkpoint_id ?? null, reason });
  }
  return repaired;
}
