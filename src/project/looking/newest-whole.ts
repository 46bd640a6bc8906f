import type { Cairn } from "../../checkpoints/cairn.ts";
import type { Checkpoint, CheckpointInfo } from "../../checkpoints/document.ts";
import { findStoredHead } from "../../checkpoints/find-checkpoint.ts";
import type { WorkState } from "../../checkpoints/work-state.ts";
import { isCheckpointError } from "../../errors.ts";

/** How many checkpoints of a history are in memory at a time. */
const PAGE = 50;

/** The newest checkpoint of a trail that can be loaded, and the head if that is damaged. */
export interface NewestWhole {
  /** Undefined when none can be loaded. */
  readonly whole: Checkpoint<WorkState> | undefined;
  readonly damaged: CheckpointInfo | null;
}

export async function newestWhole(cairn: Cairn, name: string): Promise<NewestWhole> {
  const trail = cairn.trail(name);
  const head = await unlessDamaged(() => trail.load());
  if (head !== undefined) return { whole: head, damaged: null };
  const damaged = (await findStoredHead(cairn.store, name)) ?? null;
  for (let before: string | undefined; ;) {
    const page = await trail.history({ limit: PAGE, ...(before !== undefined && { before }) });
    for (const { content_hash } of page) {
      const whole = await unlessDamaged(() => trail.load(content_hash));
      if (whole !== undefined) return { whole, damaged };
    }
    before = page.at(-1)?.content_hash;
    if (page.length < PAGE) return { whole: undefined, damaged };
  }
}

async function unlessDamaged<T>(load: () => Promise<T>): Promise<T | undefined> {
  try {
    return await load();
  } catch (error) {
    if (!isCheckpointError(error, "corrupt")) throw error;
    return undefined;
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
