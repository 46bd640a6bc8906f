import { statSync } from "node:fs";
import { join } from "node:path";
import { STORE_FILE, type Cairn } from "../../checkpoints/cairn.ts";
import { infoOfStored, type CheckpointInfo } from "../../checkpoints/document.ts";
import { isCheckpointError } from "../../errors.ts";
import { countEvents } from "../../sessions/clients/hook-log.ts";
import { hasStore } from "../../project/find-project.ts";
import { recentOfAll } from "../../project/looking/recent-of-all.ts";
import type { Project } from "../../project/project.ts";
import { ago } from "../view/time.ts";
import { bytes, count } from "../view/words.ts";
import { type Finding, note, ok, problem, warning } from "./finding.ts";

/** How many of the newest checkpoints are looked at. */
const RECENT = 200;
const CLOCK_TOLERANCE_MS = 60_000;

/** The store: whether it opens, what it holds, and whether what it acknowledges is really safe. */
export async function checkStore(project: Project): Promise<Finding[]> {
  if (!hasStore(project)) return [note("store", "No checkpoint has been saved yet.", "checkpoint now")];
  let cairn: Cairn;
  try {
    cairn = await project.stores.open(project, "write");
  } catch (error) {
    if (!isCheckpointError(error)) throw error;
    return [problem("store", error.message, error.hint ?? "checkpoint verify")];
  }
  try {
    const trails = await cairn.trails();
    const recent = (await recentOfAll(cairn.store, RECENT)).checkpoints.map(infoOfStored);
    return [
      ok(
        "store",
        `${count(trails.length, "trail")}, ${sizeOf(project)} on disk; checkpoint verify checks every byte`,
      ),
      durability(cairn),
      ...(recent[0] === undefined ? [] : [newest(project, recent[0])]),
      ...hooks(recent, project),
    ];
  } catch (error) {
    if (!isCheckpointError(error)) throw error;
    return [problem("store", error.message, error.hint ?? "checkpoint verify")];
  }
}

/** Opening for writing sets and reads back what durability depends on; it would have failed otherwise. */
function durability({ store }: Cairn): Finding {
  return store.durability === "durable"
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

function sizeOf({ folder }: Project): string {
  const size = ["", "-wal"].reduce(
    (sum, end) => sum + (statSync(join(folder, `${STORE_FILE}${end}`), { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
  return bytes(size);
}

function newest({ now }: Project, { checkpoint_id, created_at, trail }: CheckpointInfo): Finding {
  const aheadMs = Date.parse(created_at) - now().getTime();
  if (aheadMs > CLOCK_TOLERANCE_MS) {
    return warning(
      "clock",
      `The newest checkpoint (${checkpoint_id}) is dated ${count(Math.round(aheadMs / 60_000), "minute")} in the future.`,
      "Check this machine's clock. Nothing is lost: the order never depends on it.",
    );
  }
  return ok("clock", `the newest checkpoint is from ${ago(created_at, now())}, on ${trail}`);
}

/** What agents saved by themselves. */
function hooks(recent: readonly CheckpointInfo[], { now, root }: Project): Finding[] {
  const events = countEvents(root);
  if (events !== undefined && events.failed > 0) {
    return [
      warning(
        "hooks",
        `${count(events.failed, "event")} of the last ${events.seen} from agents, the newest ones, could not be saved; the last because: ${events.lastFailure ?? "?"}`,
        "checkpoint verify",
      ),
    ];
  }
  const byHooks = recent.filter(({ trigger }) => trigger.startsWith("hook:"));
  if (byHooks[0] === undefined) {
    return [note("hooks", "No agent saves here by itself yet.", "checkpoint init")];
  }
  return [
    ok(
      "hooks",
      `${events === undefined ? "" : `agents sent ${count(events.seen, "event")} lately, ${events.saved} of them with something to save; `}${byHooks.length} of the newest ${recent.length} checkpoints come from hooks, the last ${ago(byHooks[0].created_at, now())}`,
    ),
  ];
}
