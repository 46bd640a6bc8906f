import type { Capability } from "../../work/project/capability.ts";
import { VERBS } from "./verbs.ts";

/** Who may do what, and a record of who did it. */
export const governance: Capability = {
  name: "governance",
  needs: ["cache", "vault"],
  verbs: VERBS,
  doctor: async () => (await import("./doctor.ts")).doctor,
  feed: async () => (await import("./feed-source.ts")).governanceNews,
  gate: async () => (await import("./project-gate/gatekeeper.ts")).gatekeeper,
};
