import { openSqliteStore } from "../../../core/store/sqlite.ts";
import { isGovernance } from "../../../work/project/choose-trail.ts";
import { hasStore } from "../../../work/project/find-project.ts";
import type { Project } from "../../../work/project/project.ts";
import { mirrorOfLost, type MirrorPlace } from "./mirror-folders.ts";

/** The mirror of a store that was here before this one, if it holds trails that were not brought in. */
export async function unrestoredMirror(project: Project): Promise<MirrorPlace | undefined> {
  if (project.shared !== undefined || !hasStore(project)) return undefined;
  const { store } = await project.stores.open(project, "read");
  const mirror = mirrorOfLost(project, project.root, (await store.identity()).id);
  if (mirror === undefined) return undefined;
  const kept = await openSqliteStore({ path: mirror.file, readOnly: true });
  try {
    for (const { name, head } of await kept.trails())
      if (!isGovernance(name) && (await store.find({ idPrefix: head, limit: 1 })).length === 0) return mirror;
    return undefined;
  } finally {
    await kept.close();
  }
}
