import type { Mirrors } from "../../../work/project/mirrors.ts";
import { keepMirrored } from "./mirror-keeper.ts";
import { mirrorOfLost } from "./mirror-folders.ts";
import { unrestoredMirror } from "./unrestored-mirror.ts";

/** Mirrors, as the project asks for them. */
export const keptMirrors: Mirrors = {
  keep: keepMirrored,
  mirrorOfLost: (project) => mirrorOfLost(project, project.root),
  unrestored: unrestoredMirror,
};
