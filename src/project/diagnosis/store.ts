import { statSync } from "node:fs";
import { join } from "node:path";
import { infoOfStored, type CheckpointInfo } from "../../checkpoints/document.ts";
import { STORE_FILE } from "../../checkpoints/store-file.ts";
import { countEvents } from "../../sessions/clients/hook-log.ts";
import { countSpooled } from "../../sessions/spool.ts";
import { hasStore } from "../find-project.ts";
import { recentOfAll } from "../looking/recent-of-all.ts";
import type { Project } from "../project.ts";

/** How many of the newest checkpoints are looked at. */
const RECENT = 200;

/** What a store holds, and whether what it acknowledges is safe. */
export interface StoreFacts {
  readonly trails: number;
  readonly sizeBytes: number;
  readonly isDurable: boolean;
  /** The newest checkpoints of all trails, newest first. */
  readonly recent: readonly CheckpointInfo[];
  /** Those among them that agents saved by themselves. */
  readonly byHooks: readonly CheckpointInfo[];
  /** What became of the last events that agents sent; undefined when there were none. */
  readonly events: ReturnType<typeof countEvents>;
  /** How many events wait until the store can be written. */
  readonly spooled: number;
}

/** Undefined where there is no store. Opens it for writing: that sets and reads back what durability depends on. */
export async function storeFacts(project: Project): Promise<StoreFacts | undefined> {
  if (!hasStore(project)) return undefined;
  const cairn = await project.stores.open(project, "write");
  const trails = await cairn.trails();
  const recent = (await recentOfAll(cairn.store, RECENT)).checkpoints.map(infoOfStored);
  return {
    trails: trails.length,
    sizeBytes: sizeOf(project, "") + sizeOf(project, "-wal"),
    isDurable: cairn.store.durability === "durable",
    recent,
    byHooks: recent.filter(({ trigger }) => trigger.startsWith("hook:")),
    events: countEvents(project.root),
    spooled: countSpooled(project.folder).files,
  };
}

function sizeOf({ folder }: Project, end: string): number {
  return statSync(join(folder, `${STORE_FILE}${end}`), { throwIfNoEntry: false })?.size ?? 0;
}
