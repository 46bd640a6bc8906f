import type { Capability } from "../../work/project/capability.ts";

/** Who may do what, and a record of who did it. */
export const governance: Capability = {
  name: "governance",
  needs: ["cache", "vault"],
  gate: async () => (await import("./project-gate/gatekeeper.ts")).gatekeeper,
};
