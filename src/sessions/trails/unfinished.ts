import type { Cairn } from "../../checkpoints/cairn.ts";
import type { Checkpoint } from "../../checkpoints/document.ts";
import type { WorkState } from "../../checkpoints/work-state.ts";
import { isCheckpointError } from "../../errors.ts";
import { asList, own, textOf } from "../../text/untrusted.ts";

/** Trails that hold something else than the work of a session, or only a part of it. */
const OTHER_TRAILS = /^(run|thread|transcript|agent-sdk|openai-agents)\/|\/agent\//;
/** How many of the trails that moved last are looked at. */
const MOST_LOOKED_AT = 12;

/** The newest work of this project that is not done, be it of another session or of a trail that people keep. */
export async function newestUnfinished(
  cairn: Cairn,
  ownTrail: string,
): Promise<Checkpoint<WorkState> | undefined> {
  const trails = (await cairn.trails()).filter(({ name }) => name !== ownTrail && !OTHER_TRAILS.test(name));
  const takenOver = new Set<string>();
  for (const { name } of trails.slice(0, MOST_LOOKED_AT)) {
    const found = await loadIfAny(cairn, name);
    // What was imported moved last, but is not what anybody worked on last.
    if (found === undefined || found.trigger.startsWith("import")) continue;
    if (isUnfinished(found.state) && !takenOver.has(found.checkpoint_id)) return found;
    takenOver.add(textOf(own(found.state, "session"), "took_over") ?? "");
  }
  return undefined;
}

/** A trail that is damaged must not keep a session from starting; `verify` will tell. */
export async function loadIfAny(cairn: Cairn, trail: string): Promise<Checkpoint<WorkState> | undefined> {
  try {
    return await cairn.trail(trail).load();
  } catch (error) {
    if (isCheckpointError(error)) return undefined;
    throw error;
  }
}

/** Whether there is anything to hand over. */
export function hasWork(state: unknown): boolean {
  return (
    textOf(state, "goal", "next_action") !== undefined ||
    ["tasks", "instructions", "decisions", "files_touched", "blockers"].some(
      (name) => asList(own(state, name)).length > 0,
    )
  );
}

/** Something is still open, or broke off. Work without any list of tasks is over when its session was closed. */
function isUnfinished(state: unknown): boolean {
  if (!hasWork(state)) return false;
  const open = ["blockers", "checks_failing", "approvals_pending"].some(
    (name) => asList(own(state, name)).length > 0,
  );
  const tasks = asList(own(state, "tasks"));
  const isOpen = (task: unknown) => !/^(completed|cancelled)$/.test(textOf(task, "status") ?? "pending");
  const status = textOf(own(state, "session"), "status");
  if (open || tasks.some(isOpen) || textOf(own(state, "phase"), "status") === "in_progress") return true;
  if (status === "running" || status === "failed") return true;
  return tasks.length === 0 && status !== "ended";
}
