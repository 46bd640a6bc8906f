import type { Snapshots } from "../../work/project/snapshots.ts";
import { takeSnapshot } from "./take-snapshot.ts";
import { withTree } from "./tree.ts";

/** Snapshots as the project asks for them. */
export const keptFiles: Snapshots = {
  take: (project, { why, trail, notes }) =>
    withTree(project, async (tree, folder) => {
      const occasion = { why, trail, notes, isMoment: why === "manual" };
      const { snapshot } = await takeSnapshot(project, tree, folder, occasion);
      const { files, leftOut, failed } = snapshot;
      return { files, leftOut, failed };
    }),
};
