import type { Store } from "../../../core/store/contract.ts";
import { openSqliteStore } from "../../../core/store/sqlite.ts";
import { isGovernance } from "../../../work/project/choose-trail.ts";
import type { Project } from "../../../work/project/project.ts";
import { mirrorOfLost, type MirrorPlace } from "./mirror-folders.ts";

/** The mirror of a store that was here before this one, if it holds trails that were not brought in. */
export async function unrestoredMirror(project: Project, store: Store): Promise<MirrorPlace | undefined> {
  const { id } = await store.identity();
  const mirror = project.shared === undefined ? mirrorOfLost(project, project.root, id) : undefined;
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
