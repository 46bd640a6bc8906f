import type { Cairn } from "../../state/cairn.ts";
import type { Checkpoint, CheckpointInfo } from "../../../core/trails/document.ts";
import { findStoredHead } from "../../../core/trails/find-checkpoint.ts";
import type { WorkState } from "../../state/work-state.ts";
import { isCheckpointError } from "../../../core/errors.ts";

/** How many checkpoints of a history are in memory at a time. */
const PAGE = 50;

/** The newest checkpoint of a trail that can be loaded. */
export interface NewestWhole {
  /** Undefined when none can be loaded. */
  readonly whole: Checkpoint<WorkState> | undefined;
  readonly isHead: boolean;
  /** What is known of a head that is damaged. Null when it is whole, and when nothing is left of it. */
  readonly damaged: CheckpointInfo | null;
}

export async function newestWhole(cairn: Cairn, name: string): Promise<NewestWhole> {
  const trail = cairn.trail(name);
  const head = await unlessDamaged(() => trail.load());
  if (head !== undefined) return { whole: head, isHead: true, damaged: null };
  const damaged = (await findStoredHead(cairn.store, name)) ?? null;
  for (let before: string | undefined; ;) {
    const page = await trail.history({ limit: PAGE, before });
    for (const { content_hash } of page) {
      // One that is listed, but not found by its name, is damaged as well.
      const whole = await unlessDamaged(() => trail.load(content_hash), "not-found");
      if (whole !== undefined) return { whole, isHead: false, damaged };
    }
    before = page.at(-1)?.content_hash;
    if (page.length < PAGE) return { whole: undefined, isHead: false, damaged };
  }
}

/** What was loaded; undefined where it is damaged. */
export async function unlessDamaged<T>(load: () => Promise<T>, also?: "not-found"): Promise<T | undefined> {
  try {
    return await load();
  } catch (error) {
    if (isCheckpointError(error, "corrupt") || (also && isCheckpointError(error, also))) return undefined;
    throw error;
  }
}

/** The trails whose heads cannot be loaded, among so many that moved last. */
export async function damagedTrails(cairn: Cairn, most = Number.POSITIVE_INFINITY): Promise<string[]> {
  const found: string[] = [];
  for (const { name } of (await cairn.trails()).slice(0, most)) {
    if ((await unlessDamaged(() => cairn.trail(name).load())) === undefined) found.push(name);
  }
  return found;
}
