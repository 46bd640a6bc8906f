import type { Capability } from "../../work/project/capability.ts";
import { REMOTES } from "./commands.ts";

/** Copies of a store elsewhere: remotes, mirrors, backups. */
export const sync: Capability = {
  name: "sync",
  needs: ["cache", "vault"],
  commands: [
    {
      group: "sharing",
      entries: REMOTES,
      load: (file) => import(`./commands/${file}.ts`) as Promise<object>,
    },
  ],
  doctor: async () => (await import("./doctor/doctor.ts")).doctor,
  mirrors: async () => (await import("./mirror/kept-mirrors.ts")).keptMirrors,
};
