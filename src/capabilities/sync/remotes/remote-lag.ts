import { isLineName } from "../../../core/trails/lines/line-names.ts";
import { lineBetween } from "../../../core/trails/lines/line.ts";
import { hasStore } from "../../../work/project/find-project.ts";
import type { Project } from "../../../work/project/project.ts";
import { knownRemotes } from "./known-remotes.ts";

export interface RemoteLag {
  readonly remote: string;
  readonly trails: number;
  readonly checkpoints: number;
  /** When this machine last spoke to it, or null. */
  readonly synced_at: string | null;
}

/** What each remote lacks, by what this machine last saw there. Nothing is sent. */
export async function remoteLags(project: Project): Promise<RemoteLag[]> {
  if (!hasStore(project)) return [];
  const { store } = await project.stores.open(project, "read");
  const trails = (await store.trails()).filter(({ name }) => !isLineName(name));
  const lags: RemoteLag[] = [];
  for (const { name: remote, seen, synced_at } of await knownRemotes(project, store)) {
    const behind = trails.filter(({ name, head }) => seen[name] !== head);
    let checkpoints = 0;
    for (const { name, head } of behind) {
      const { isWhole, checkpoints: line } = await lineBetween(store, seen[name], head);
      // Where the remote went on by itself, a sync tells more; here one is as good as many.
      checkpoints += isWhole ? line.length : 1;
    }
    lags.push({ remote, trails: behind.length, checkpoints, synced_at });
  }
  return lags;
}
