import { statSync } from "node:fs";
import { join } from "node:path";
import { type CheckpointInfo, infoOrDamage } from "../../../core/trails/document.ts";
import { STORE_FILE } from "../../../core/trails/store-file.ts";
import { isCheckpointError } from "../../../core/errors.ts";
import { findRollback } from "../../../work/project/anchor.ts";
import { isWorkedOn } from "../../../work/project/choose-trail.ts";
import { hasStore } from "../../../work/project/find-project.ts";
import { damagedTrails } from "../../../work/project/reading/newest-whole.ts";
import { recentOfAll } from "../../../work/project/reading/filter.ts";
import type { Project } from "../../../work/project/project.ts";
import { countEvents } from "../../../work/sessions/logs/hook-log.ts";
import { countSpooled } from "../../../work/sessions/spool.ts";
import type { Store } from "../../../core/store/contract.ts";
import { ago } from "../../../core/text/time.ts";
import { bytes, count } from "../../../work/state/words.ts";
import { type DoctorFinding, note, ok, problem, warning } from "../../../work/project/finding.ts";

const CLOCK_TOLERANCE_MS = 60_000;

/** How many of the newest checkpoints, and of the heads, are looked at. */
const RECENT = 200;

/** The store: whether it opens, what it holds, and whether what it acknowledges is safe. */
export async function checkStore(project: Project): Promise<DoctorFinding[]> {
  try {
    if (!hasStore(project)) return [note("store", "No checkpoint has been saved yet.", "checkpoint now")];
    // For writing: that sets and reads back what durability depends on.
    const cairn = await project.stores.open(project, "write", null);
    const trails = await cairn.trails();
    const recent = (await recentOfAll(cairn.store, RECENT)).checkpoints.map(infoOrDamage);
    const damaged = await damagedTrails(cairn, RECENT);
    const sizeBytes = sizeOf(project, "") + sizeOf(project, "-wal");
    const holds = `${count(trails.length, "trail")}, ${bytes(sizeBytes)} on disk`;
    const now = project.now();
    return [
      ok("store", `${holds}; checkpoint verify checks every byte`),
      ...damaged.map((trail) =>
        problem(
          "damage",
          `The newest checkpoint of trail ${trail} is damaged.`,
          "checkpoint verify --repair",
        ),
      ),
      durability(cairn.store),
      ...rollback(findRollback(project)),
      ...recent
        .filter(({ trail }) => isWorkedOn(trail))
        .slice(0, 1)
        .map((newest) => clock(newest, now)),
      hooks(project, recent),
    ];
  } catch (error) {
    if (!isCheckpointError(error)) throw error;
    const hint = error.hint ?? "checkpoint verify";
    const isHere = hint.includes("checkpoint doctor");
    return [problem("store", error.message, isHere ? "Check the disk, and who else uses the store." : hint)];
  }
}

function sizeOf({ folder }: Project, end: string): number {
  return statSync(join(folder, `${STORE_FILE}${end}`), { throwIfNoEntry: false })?.size ?? 0;
}

function durability({ durability: promised }: Store): DoctorFinding {
  return promised === "durable"
    ? ok(
        "durability",
        "durable: what was saved survives a crash and a power cut (write-ahead log, synchronous FULL)",
      )
    : warning(
        "durability",
        "This store is only a cache: what was saved may be lost.",
        "Use the store in .cairn.",
      );
}

function rollback(found: string | undefined): DoctorFinding[] {
  if (found === undefined) return [];
  return [problem("rollback", found, "If that was intended: checkpoint doctor --accept-loss")];
}

function clock({ checkpoint_id, created_at, trail }: CheckpointInfo, now: Date): DoctorFinding {
  const aheadMs = Date.parse(created_at) - now.getTime();
  if (aheadMs <= CLOCK_TOLERANCE_MS)
    return ok("clock", `the newest checkpoint is from ${ago(created_at, now)}, on ${trail}`);
  const minutes = count(Math.round(aheadMs / 60_000), "minute");
  return warning(
    "clock",
    `The newest checkpoint (${checkpoint_id}) is dated ${minutes} in the future.`,
    "Check this machine's clock. Nothing is lost: the order never depends on it.",
  );
}

const NONE_SAVED = "No agent has saved here yet. Those that are set up do from their next session on.";

/** What agents saved by themselves. */
function hooks({ root, folder, now }: Project, recent: readonly CheckpointInfo[]): DoctorFinding {
  const events = countEvents(root);
  const spooled = countSpooled(folder).files;
  if (spooled > 0)
    return warning(
      "hooks",
      `${count(spooled, "event")} from agents could not be saved at the time, and ${spooled === 1 ? "waits" : "wait"} in .cairn/spool.`,
      "They are saved with the session's next event, or when the next session starts.",
    );
  if (events !== undefined && events.failed > 0) {
    const failed = `${count(events.failed, "event")} of the last ${events.seen} from agents, the newest ones, could not be saved`;
    return warning("hooks", `${failed}; the last because: ${events.lastFailure ?? "?"}`, "checkpoint verify");
  }
  const byHooks = recent.filter(({ trigger }) => trigger.startsWith("hook:"));
  const [last] = byHooks;
  if (last === undefined) return note("hooks", NONE_SAVED);
  const sent =
    events === undefined
      ? ""
      : `agents sent ${count(events.seen, "event")} lately, ${events.saved} of them with something to save; `;
  return ok(
    "hooks",
    `${sent}${byHooks.length} of the newest ${recent.length} checkpoints come from hooks, the last ${ago(last.created_at, now())}`,
  );
}
