import type { Capability } from "../../work/project/capability.ts";

/** Copies of a store elsewhere: remotes, mirrors, backups. */
export const sync: Capability = {
  name: "sync",
  needs: ["cache", "vault"],
  mirrors: async () => (await import("./mirror/kept-mirrors.ts")).keptMirrors,
};
