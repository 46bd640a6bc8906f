import type { Capability } from "../../work/project/capability.ts";
import { VERBS } from "./verbs.ts";

/** Numbers about a project, for those who watch many. */
export const telemetry: Capability = {
  name: "telemetry",
  needs: ["integrations", "workflow"],
  verbs: VERBS,
};
