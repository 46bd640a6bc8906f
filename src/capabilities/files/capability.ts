import type { Capability } from "../../work/project/capability.ts";
import { VERBS } from "./verbs.ts";

/** Snapshots of the project's files, whoever changed them, and the way back to one. */
export const files: Capability = {
  name: "files",
  needs: [],
  verbs: VERBS,
  snapshots: async () => (await import("./kept-files.ts")).keptFiles,
};
