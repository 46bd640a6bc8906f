import type { CheckpointInfo } from "../../checkpoints/document.ts";
import { isCheckpointError } from "../../errors.ts";
import { type StoreFacts, storeFacts } from "../../project/diagnosis/store.ts";
import type { Project } from "../../project/project.ts";
import { ago } from "../view/time.ts";
import { bytes, count } from "../view/words.ts";
import { type DoctorFinding, note, ok, problem, warning } from "./finding.ts";

const CLOCK_TOLERANCE_MS = 60_000;

/** The store: whether it opens, what it holds, and whether what it acknowledges is safe. */
export async function checkStore(project: Project): Promise<DoctorFinding[]> {
  let store: StoreFacts | undefined;
  try {
    store = await storeFacts(project);
  } catch (error) {
    if (!isCheckpointError(error)) throw error;
    return [problem("store", error.message, error.hint ?? "checkpoint verify")];
  }
  if (store === undefined) return [note("store", "No checkpoint has been saved yet.", "checkpoint now")];
  const holds = `${count(store.trails, "trail")}, ${bytes(store.sizeBytes)} on disk`;
  const now = project.now();
  return [
    ok("store", `${holds}; checkpoint verify checks every byte`),
    durability(store),
    ...store.recent.slice(0, 1).map((newest) => clock(newest, now)),
    hooks(store, now),
  ];
}

function durability({ isDurable }: StoreFacts): DoctorFinding {
  return isDurable
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

/** What agents saved by themselves. */
function hooks({ events, recent, byHooks, spooled }: StoreFacts, now: Date): DoctorFinding {
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
  const [last] = byHooks;
  if (last === undefined) return note("hooks", "No agent saves here by itself yet.", "checkpoint init");
  const sent =
    events === undefined
      ? ""
      : `agents sent ${count(events.seen, "event")} lately, ${events.saved} of them with something to save; `;
  return ok(
    "hooks",
    `${sent}${byHooks.length} of the newest ${recent.length} checkpoints come from hooks, the last ${ago(last.created_at, now)}`,
  );
}
