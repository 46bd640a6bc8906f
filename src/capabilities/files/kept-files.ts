import type { Snapshots } from "../../work/project/snapshots.ts";
import { hasStore } from "../../work/project/find-project.ts";
import type { Project } from "../../work/project/project.ts";
import { isOn } from "./session-listener.ts";
import { segmentsOf, snapshotTrails } from "./snapshot/snapshots.ts";
import { takeSnapshot } from "./take-snapshot.ts";
import { withTree } from "./tree.ts";

/** Snapshots as the project asks for them. */
export const keptFiles: Snapshots = {
  takeBefore: async (project, what) => {
    if (!(await keepsFiles(project))) return;
    await withTree(project, (tree, folder) =>
      takeSnapshot(project, tree, folder, { why: "before-command", notes: what.slice(0, 200) }),
    );
  },
  take: (project, { why, trail }) =>
    withTree(project, async (tree, folder) => {
      const occasion = { why, trail, isMoment: true };
      const { snapshot } = await takeSnapshot(project, tree, folder, occasion);
      const { files, leftOut, failed } = snapshot;
      return { files, leftOut, failed };
    }),
};

/** Files are kept from the first look on, which a session's hooks or a person ask for. */
async function keepsFiles(project: Project): Promise<boolean> {
  if (!hasStore(project) || !(await isOn(project))) return false;
  const { store } = await project.stores.open(project, "read");
  return (await segmentsOf(store, snapshotTrails(project))).length > 0;
}
