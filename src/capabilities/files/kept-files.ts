import type { Snapshots } from "../../work/project/snapshots.ts";
import { hasStore } from "../../work/project/find-project.ts";
import { undoRewind } from "./rewind/undo-rewind.ts";
import { isOn } from "./session-listener.ts";
import { newestSnapshot } from "./snapshot/snapshots.ts";
import { takeSnapshot } from "./snapshot/take-snapshot.ts";
import { withTree } from "./tree/hold-tree.ts";

/** Snapshots as the project asks for them. */
export const keptFiles: Snapshots = {
  takeBefore: async (project, what) => {
    // Files are kept from the first look on, which a session's hooks or a person ask for.
    if (!hasStore(project) || !(await isOn(project))) return;
    const { store } = await project.stores.open(project, "read");
    if ((await newestSnapshot(store, project)) === undefined) return;
    await withTree(project, (tree) =>
      takeSnapshot(tree, { why: "before-command", notes: what.slice(0, 200) }),
    );
  },
  take: async (project, occasion) => {
    const { snapshot } = await withTree(project, (tree) =>
      takeSnapshot(tree, { ...occasion, isMoment: true }),
    );
    const { files, leftOut, failed } = snapshot;
    return { files, leftOut, failed };
  },
  undoRewind,
};
