import type { Capability } from "../../work/project/capability.ts";
import { VERBS } from "./verbs.ts";

/** Copies of a store elsewhere: remotes, mirrors, backups. */
export const sync: Capability = {
  name: "sync",
  needs: ["cache", "vault"],
  verbs: VERBS,
  doctor: async () => (await import("./doctor/doctor.ts")).doctor,
  mirrors: async () => (await import("./mirror/kept-mirrors.ts")).keptMirrors,
};
