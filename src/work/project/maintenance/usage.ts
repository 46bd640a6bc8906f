import { statSync } from "node:fs";
import { join } from "node:path";
import { STORE_FILE } from "../../../core/trails/store-file.ts";
import type { StoreUsage } from "../../../core/store/sqlite/usage.ts";
import { hasStore, noCheckpointYet } from "../find-project.ts";
import type { Project } from "../project.ts";

export interface UsageResult extends StoreUsage {
  /** What the store takes on the disk, its log included. */
  readonly disk_bytes: number;
}

/** How much the store holds, by trail and by day. */
export async function usage(project: Project): Promise<UsageResult> {
  if (!hasStore(project)) throw noCheckpointYet();
  const path = join(project.folder, STORE_FILE);
  const { usageOf } = await import("../../../core/store/sqlite/usage.ts");
  const used = await usageOf(path);
  const sizeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  return { disk_bytes: sizeOf(path) + sizeOf(`${path}-wal`), ...used };
}
