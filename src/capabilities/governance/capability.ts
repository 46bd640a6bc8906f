import type { Capability } from "../../work/project/capability.ts";
import { GOVERNANCE } from "./commands.ts";

/** Who may do what, and a record of who did it. */
export const governance: Capability = {
  name: "governance",
  needs: ["cache", "vault"],
  commands: [
    {
      group: "governance",
      entries: GOVERNANCE,
      load: (file) => import(`./commands/${file}.ts`) as Promise<object>,
    },
  ],
  page: async () => (await import("./page.ts")).PAGE_VERBS,
  doctor: async () => (await import("./doctor.ts")).doctor,
  gate: async () => (await import("./project-gate/gatekeeper.ts")).gatekeeper,
};
